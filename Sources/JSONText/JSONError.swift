import CSimdJSON
import Foundation

/// Why a text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Hashable, Sendable {
    /// The grammar of JSON is broken.
    case syntax
    /// The bytes are not UTF-8.
    case utf8
    /// A number is malformed or too large for a double.
    case number
    /// Arrays and objects are nested deeper than the parser reads, which is some levels more than the 1,000 of a document.
    case depth
    /// There is no text.
    case empty
    /// The text is larger than 4 GiB.
    case size
    /// Memory is short.
    case memory
  }

  /// What kind of fault it is.
  public let kind: Kind

  /// Where the fault is, in bytes from the start of the text, where it can be told.
  public let offset: Int?

  /// The fault in words.
  public let reason: String

  /// The fault in words, with its place.
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
      self.init(kind: .number, offset: nil, reason: "a number is malformed or out of range")
    case csimdjson_error_utf8:
      self.init(kind: .utf8, offset: JSONError.firstInvalidUTF8(in: text), reason: "not UTF-8")
    case csimdjson_error_depth:
      self.init(kind: .depth, offset: nil, reason: "arrays and objects are nested deeper than 1,000 levels")
    case csimdjson_error_capacity:
      self.init(kind: .size, offset: nil, reason: "larger than 4 GiB")
    case csimdjson_error_memory:
      self.init(kind: .memory, offset: nil, reason: "no memory to parse JSON")
    case csimdjson_error_empty:
      self.init(kind: .empty, offset: nil, reason: "no JSON: the text is empty")
    default:
      let words = String(cString: csimdjson_error_message(code))
      self.init(
        kind: .syntax, offset: JSONError.firstSyntaxError(in: text),
        reason: "not JSON: " + JSONError.shortened(words))
    }
  }

  /// simdjson does not tell where a fault is; on this cold path Foundation's parser does.
  private static func firstSyntaxError(in text: UnsafeRawBufferPointer) -> Int? {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
      return nil
    } catch {
      let words = (error as NSError).userInfo["NSDebugDescription"] as? String
      return words?.firstMatch(of: /around character ([0-9]+)/).flatMap { Int($0.output.1) }
    }
  }

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

  /// simdjson's messages begin with the name of the code: `TAPE_ERROR: The JSON document has …`.
  private static func shortened(_ message: String) -> String {
    let words = message.split(separator: ": ", maxSplits: 1)
    let hasName = words.count == 2 && words[0].allSatisfy { $0.isUppercase || $0 == "_" }
    // It names every fault that there may be.
    if message.hasPrefix("TAPE_ERROR") { return "a comma, colon, bracket, key or value is missing, or one is too many" }
    let text = hasName ? words[1] : Substring(message)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
