import CPCRE2

/// An invalid regular expression, or a match that exceeded a limit.
///
/// Reaching a limit is an error, never "no match", because the result is unknown.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Kind: Hashable, Sendable {
    /// The pattern is not a valid regular expression; the error is at this byte offset.
    case syntax(offset: Int)
    /// The flags contain an unknown letter. ``pattern`` contains the flags.
    case unknownFlag(Character)
    /// The pattern begins with an option of PCRE2 that is not supported.
    case unsupportedOption(String)
    /// Matching exceeded the limit on steps.
    case matchLimit(Int)
    /// Matching exceeded the time limit.
    case timeLimit(Duration)
    /// Matching exceeded the limit on backtracking depth.
    case depthLimit(Int)
    /// Matching exceeded the memory limit, in KiB.
    case heapLimit(Int)
    /// The compiled pattern exceeded the stack limit, in bytes.
    case stackLimit(Int)
    /// The caller ended the search.
    case interrupted
    /// Memory allocation failed, or PCRE2 reported an internal error.
    case engine(code: Int)
  }

  /// The kind of error.
  public let kind: Kind
  /// The pattern.
  public let pattern: String
  /// A description of the error, usually PCRE2's.
  public let reason: String
  /// The number of patterns from which the expression was generated.
  var patternCount = 1
  /// The number of patterns of the query.
  var totalPatternCount = 1
  /// The index of the pattern among the patterns of a query; nil if it is unknown.
  package var patternIndex: Int?

  /// A description of the error with the pattern and, for a syntax error, a caret below its position. A long pattern is
  /// abbreviated.
  public var description: String {
    switch kind {
    case .syntax(let offset):
      "the regular expression is invalid: \(reason) at byte \(offset)\n\(caret(at: offset))"
    case .unknownFlag(let flag):
      "\"\(flag)\" in the flags \"\(shortened)\" of a regular expression is unknown; the flags are i (ignore case), "
        + "m (^ and $ match at lines), s (. matches newlines), x (spaces and comments) and u (Unicode, always on)"
    case .unsupportedOption(let option):
      "the regular expression \"\(shortened)\" begins with \(option), which is not supported; leave it out"
    case .matchLimit(let limit): exceeded("more than \(limit) steps")
    case .timeLimit(let limit): exceeded("more than \(limit)") + ", or allow more time"
    case .depthLimit(let limit): exceeded("more than \(limit) levels of backtracking")
    case .heapLimit(let limit): exceeded("more than \(limit) KiB of memory")
    case .stackLimit(let limit): exceeded("a stack of more than \(limit) bytes")
    case .interrupted: "the search for \(subject) was interrupted"
    case .engine(let code): "\(subject) failed: \(reason) (PCRE2 error \(code))"
    }
  }

  /// Returns PCRE2's message for an error code.
  static func message(of code: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = pcre2_get_error_message_8(code, &buffer, buffer.count)
    return length >= 0 ? String(decoding: buffer[..<Int(length)], as: UTF8.self) : "error \(code)"
  }

  private static let shownCharacters = 60

  private var shortened: String {
    let start = pattern.prefix(2 * PatternError.shownCharacters)
    return start.endIndex == pattern.endIndex ? pattern : start + "…"
  }

  /// The expression in messages. If it was generated from several patterns, nobody has written its text.
  private var subject: String {
    guard patternCount > 1 else { return "the regular expression \"\(shortened)\"" }
    return patternCount < totalPatternCount
      ? "\(patternCount) of the \(totalPatternCount) patterns" : "the \(patternCount) patterns"
  }

  private func exceeded(_ need: String) -> String {
    patternCount > 1
      ? "\(subject) need \(need) for a text; simplify them" : "\(subject) needs \(need) for a text; simplify it"
  }

  /// Returns the line of the pattern that contains the error, abbreviated on both sides, and a line with a caret.
  private func caret(at offset: Int) -> String {
    let bytes = Array(pattern.utf8)
    let position = min(max(offset, 0), bytes.count)
    let start = bytes[..<position].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    var before = String(decoding: bytes[start..<position], as: UTF8.self)
    var after = String(decoding: bytes[position..<end], as: UTF8.self)
    if before.count > PatternError.shownCharacters { before = "…" + before.suffix(PatternError.shownCharacters) }
    if after.count > PatternError.shownCharacters { after = after.prefix(PatternError.shownCharacters) + "…" }
    return "  \(before)\(after)\n  " + String(repeating: " ", count: before.count) + "^"
  }
}
