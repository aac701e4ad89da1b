import CSimdJSON

/// An error for text that is not valid JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Kind: Hashable, Sendable {
    /// A syntax error.
    case syntax
    /// The bytes are not UTF-8.
    case utf8
    /// A number is malformed or too large for a double.
    case number
    /// Arrays and objects are nested deeper than the parser's limit, which is slightly higher than the 1,000 of a
    /// document.
    case depth
    /// The text is empty.
    case empty
    /// The text is larger than 4 GiB.
    case size
    /// Memory allocation failed.
    case memory
  }

  /// The kind of error.
  public let kind: Kind

  /// The byte offset of the error, if it is known.
  public let offset: Int?

  /// A description of the error.
  public let reason: String

  /// A description of the error with its offset.
  public var description: String {
    offset.map { "\(reason) (at byte \($0))" } ?? reason
  }

  init(kind: Kind, offset: Int?, reason: String) {
    self.kind = kind
    self.offset = offset
    self.reason = reason
  }

  init(simdjsonCode code: Int32, text: UnsafeRawBufferPointer) {
    switch code {
    case csimdjson_error_number:
      self.init(
        kind: .number, offset: JSONErrorLocator.offset(in: text), reason: "a number is malformed or out of range")
    case csimdjson_error_utf8:
      self.init(kind: .utf8, offset: JSONError.firstInvalidUTF8(in: text), reason: "not UTF-8")
    case csimdjson_error_depth:
      self.init(kind: .depth, offset: nil, reason: "arrays and objects are nested deeper than 1,000 levels")
    case csimdjson_error_capacity:
      self.init(kind: .size, offset: nil, reason: "larger than 4 GiB")
    case csimdjson_error_memory:
      self.init(kind: .memory, offset: nil, reason: "out of memory while parsing JSON")
    case csimdjson_error_empty:
      self.init(kind: .empty, offset: nil, reason: "no JSON: the text is empty")
    case csimdjson_error_structure where text.starts(with: JSONError.byteOrderMark):
      self.init(kind: .syntax, offset: 0, reason: "not JSON: the text begins with a byte order mark; remove it")
    case csimdjson_error_structure:
      // simdjson's own message lists all possible errors.
      self.init(
        kind: .syntax, offset: JSONErrorLocator.offset(in: text),
        reason: "not JSON: a comma, colon, bracket, key or value is missing or unexpected")
    default:
      let words = String(cString: csimdjson_error_message(code))
      self.init(
        kind: .syntax, offset: JSONErrorLocator.offset(in: text),
        reason: "not JSON: " + JSONError.shortened(words))
    }
  }

  /// U+FEFF in UTF-8.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func firstInvalidUTF8(in text: UnsafeRawBufferPointer) -> Int? {
    var decoder = UTF8()
    var iterator = text.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  /// Removes the code from simdjson's message: `STRING_ERROR: Problem while parsing …`.
  private static func shortened(_ message: String) -> String {
    let words = message.split(separator: ": ", maxSplits: 1)
    let hasName = words.count == 2 && words[0].allSatisfy { $0.isUppercase || $0 == "_" }
    let text = hasName ? words[1] : Substring(message)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
