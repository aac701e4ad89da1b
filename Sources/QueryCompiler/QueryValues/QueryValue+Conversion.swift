import Foundation
import JSONText

/// The conversions TOSTRING, TONUMBER and so on; rules of the server's "Type functions" page.
extension QueryValue {
  /// The name of the type, as TYPE gives it.
  public var typeName: String {
    switch self {
    case .missing: "missing"
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// As a string: numbers and booleans as JSON writes them. Arrays and objects are null.
  func toString() -> QueryValue {
    switch self {
    case .missing, .null, .string: self
    case .boolean(let boolean): .string(boolean ? "true" : "false")
    case .integer(let number): .string(String(number))
    case .double: .string(displayText)
    case .array, .object: .null
    }
  }

  /// As a number: 0 and 1 for booleans, the number that a string holds. Anything else is null.
  func toNumber() -> QueryValue {
    switch self {
    case .missing, .null, .integer, .double: return self
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .string(let string):
      let text = string.trimmingCharacters(in: .whitespacesAndNewlines)
      if let integer = Int64(text) { return .integer(integer) }
      // Swift reads "nan", "infinity" and hexadecimal as well, which JSON does not know.
      guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }) else { return .null }
      return Double(text).map { QueryValue.finite($0) } ?? .null
    case .array, .object: return .null
    }
  }

  /// As a boolean: 0, NaN and what is empty is false, the rest true.
  func toBoolean() -> QueryValue {
    switch self {
    case .missing, .null, .boolean: self
    case .integer(let number): .boolean(number != 0)
    case .double(let number): .boolean(number != 0 && !number.isNaN)
    case .string(let string): .boolean(!string.isEmpty)
    case .array(let elements): .boolean(!elements.isEmpty)
    case .object(let members): .boolean(!members.isEmpty)
    }
  }

  /// As an array: a value that is none becomes its only element.
  func toArray() -> QueryValue {
    switch self {
    case .missing, .null, .array: self
    default: .array(json.map { [$0] } ?? [])
    }
  }

  /// As an atom (a boolean, number or string): the only element or member of an array or object, otherwise null.
  func toAtom() -> QueryValue {
    switch self {
    case .array(let elements): elements.count == 1 ? QueryValue(elements[0]).toAtom() : .null
    case .object(let members): members.count == 1 ? QueryValue(members[0].value).toAtom() : .null
    default: self
    }
  }

  /// As an object: anything else but MISSING and null becomes an empty one.
  func toObject() -> QueryValue {
    switch self {
    case .missing, .null, .object: self
    default: .object([])
    }
  }

  /// The value as it is joined into a string by `||` and CONCAT: a string as it is, anything else as JSON.
  var displayText: String {
    if case .string(let string) = self { return string }
    return json?.text ?? ""
  }
}
