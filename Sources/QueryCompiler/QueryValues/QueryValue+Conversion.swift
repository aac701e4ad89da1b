import Foundation
import JSONText

/// The conversions TOSTRING, TONUMBER and so on. They follow the "Type functions" page of Couchbase Server.
extension QueryValue {
  /// The name of the type, as TYPE returns it.
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

  /// Converts the value to a string: numbers and Booleans become JSON text; arrays and objects become null.
  func toString() -> QueryValue {
    switch self {
    case .missing, .null, .string: self
    case .boolean(let boolean): .string(boolean ? "true" : "false")
    case .integer(let number): .string(String(number))
    case .double: .string(displayText)
    case .array, .object: .null
    }
  }

  /// Converts the value to a number: Booleans become 0 and 1, and strings are parsed. The result is null for all other
  /// values.
  func toNumber() -> QueryValue {
    switch self {
    case .missing, .null, .integer, .double: return self
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .string(let string):
      let text = string.trimmingCharacters(in: .whitespacesAndNewlines)
      if let integer = Int64(text) { return .integer(integer) }
      // Swift also accepts "nan", "infinity" and hexadecimal numbers, which JSON does not have.
      guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }) else { return .null }
      return Double(text).map { QueryValue.finite($0) } ?? .null
    case .array, .object: return .null
    }
  }

  /// Converts the value to a Boolean: 0, NaN and empty strings, arrays and objects are false; all other values are
  /// true.
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

  /// Converts the value to an array: any other value becomes the only element of an array.
  func toArray() -> QueryValue {
    switch self {
    case .missing, .null, .array: self
    default: .array(json.map { [$0] } ?? [])
    }
  }

  /// Converts the value to an atom (a Boolean, number or string): an array or object with a single element or member
  /// becomes that value as an atom; any other array or object becomes null.
  func toAtom() -> QueryValue {
    switch self {
    case .array(let elements): elements.count == 1 ? QueryValue(elements[0]).toAtom() : .null
    case .object(let members): members.count == 1 ? QueryValue(members[0].value).toAtom() : .null
    default: self
    }
  }

  /// Converts the value to an object: all other values except MISSING and null become an empty object.
  func toObject() -> QueryValue {
    switch self {
    case .missing, .null, .object: self
    default: .object([])
    }
  }

  /// The text of the value in `||` and CONCAT: a string unchanged, any other value as JSON.
  var displayText: String {
    if case .string(let string) = self { return string }
    return json?.text ?? ""
  }
}
