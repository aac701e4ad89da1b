import CPCRE2

/// Why a regular expression cannot be used, or why a text could not be matched with it.
///
/// A limit that is reached is an error and never "no match": the answer is not known then.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The pattern is no regular expression; the fault stands at this byte of it.
    case syntax(offset: Int)
    /// A letter of the flags, which are in place of the pattern, has no meaning.
    case unknownFlag(Character)
    /// The pattern begins with an option of PCRE2 that cannot be used.
    case unsupportedOption(String)
    /// Matching took more steps than allowed.
    case matchLimit(Int)
    /// Matching took more time than allowed.
    case timeLimit(Duration)
    /// Matching went deeper than allowed.
    case depthLimit(Int)
    /// Matching needed more memory than allowed, in KiB.
    case heapLimit(Int)
    /// The compiled pattern needed a larger stack than there is, in bytes.
    case stackLimit(Int)
    /// Memory is short, or PCRE2 reports a fault of its own.
    case engine(code: Int)
  }

  /// What went wrong.
  public let kind: Kind
  /// The pattern.
  public let pattern: String
  /// The fault in PCRE2's words.
  public let reason: String

  /// The fault in words, with the pattern, and for a fault in the pattern a caret below its place. Of a long pattern only a part
  /// is shown.
  public var description: String {
    switch kind {
    case .syntax(let offset):
      "the regular expression cannot be read: \(reason) at byte \(offset)\n\(caret(at: offset))"
    case .unknownFlag(let flag):
      "\"\(flag)\" in the flags \"\(shortened)\" of a regular expression is none; there are i (ignore case), "
        + "m (^ and $ match at lines), s (. matches newlines), x (spaces and comments) and u (Unicode, always on)"
    case .unsupportedOption(let option):
      "the regular expression \"\(shortened)\" begins with \(option), which is not supported; leave it out"
    case .matchLimit(let limit): gaveUp("more than \(limit) steps")
    case .timeLimit(let limit): gaveUp("more than \(limit)") + ", or allow more time"
    case .depthLimit(let limit): gaveUp("more than \(limit) levels of backtracking")
    case .heapLimit(let limit): gaveUp("more than \(limit) KiB of memory")
    case .stackLimit(let limit): gaveUp("a stack of more than \(limit) bytes")
    case .engine(let code): "the regular expression \"\(shortened)\" failed: \(reason) (PCRE2 error \(code))"
    }
  }

  /// PCRE2's words for an error.
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

  private func gaveUp(_ need: String) -> String {
    "the regular expression \"\(shortened)\" needs \(need) for a text; make it simpler"
  }

  /// The line of the pattern with the fault, or what of it is near, and below it a caret.
  private func caret(at offset: Int) -> String {
    let bytes = Array(pattern.utf8)
    let place = min(max(offset, 0), bytes.count)
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    var before = String(decoding: bytes[start..<place], as: UTF8.self)
    var behind = String(decoding: bytes[place..<end], as: UTF8.self)
    if before.count > PatternError.shownCharacters { before = "…" + before.suffix(PatternError.shownCharacters) }
    if behind.count > PatternError.shownCharacters { behind = behind.prefix(PatternError.shownCharacters) + "…" }
    return "  \(before)\(behind)\n  " + String(repeating: " ", count: before.count) + "^"
  }
}
