/// Why a regular expression cannot be used, or why a text could not be matched with it.
///
/// A limit that is reached is an error and never "no match": the answer is not known then.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The pattern is no regular expression; the fault stands at this byte of it.
    case syntax(offset: Int)
    /// Matching took more steps than allowed.
    case matchLimit(Int)
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

  /// The fault in words, with the pattern, and for a fault in the pattern a caret below its place.
  public var description: String {
    switch kind {
    case .syntax(let offset):
      "the regular expression cannot be read: \(reason) at byte \(offset)\n\(caret(at: offset))"
    case .matchLimit(let limit): gaveUp("more than \(limit) steps")
    case .depthLimit(let limit): gaveUp("more than \(limit) levels of backtracking")
    case .heapLimit(let limit): gaveUp("more than \(limit) KiB of memory")
    case .stackLimit(let limit): gaveUp("a stack of more than \(limit) bytes")
    case .engine(let code): "the regular expression \"\(pattern)\" failed: \(reason) (PCRE2 error \(code))"
    }
  }

  private func gaveUp(_ need: String) -> String {
    "the regular expression \"\(pattern)\" needs \(need) for a text; make it simpler, or raise the limit"
  }

  /// The line of the pattern with the fault, and below it a caret.
  private func caret(at offset: Int) -> String {
    let bytes = Array(pattern.utf8)
    let place = min(max(offset, 0), bytes.count)
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    let before = String(decoding: bytes[start..<place], as: UTF8.self)
    return "  \(String(decoding: bytes[start..<end], as: UTF8.self))\n  "
      + String(repeating: " ", count: before.count) + "^"
  }
}
