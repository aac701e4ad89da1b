import DocumentStore
import Foundation
import JSONText
import MapReduce

/// Conversions between Swift values and JSON for the keys and values of views.
enum ViewJSON {
  /// Returns the JSON of a value that can be stored in a document; nil for nil. The members of a Swift dictionary,
  /// which have no order, are sorted by key.
  ///
  /// - Parameter depth: the number of arrays and objects around the value.
  /// - Throws: ``CBLError/invalidParameter`` for a value that JSON cannot represent, or that is nested too deep.
  static func value(_ value: Any?, depth: Int = 0) throws -> JSONValue? {
    guard depth <= DocumentBody.maximumDepth else {
      throw CBLError(
        CBLError.invalidParameter,
        "a key or value of a view is nested more than \(DocumentBody.maximumDepth) levels deep")
    }
    // Checked first and by class, because an `NSNumber` of 1 can also be cast to `Bool`.
    if let value, type(of: value) is NSNumber.Type { return try other(value, depth) }
    return switch value {
    case nil: nil
    case let string as String: .string(string)
    case let boolean as Bool: .boolean(boolean)
    case let integer as Int: .int64(Int64(integer))
    case let document as Document: try parsed(document.jsonBytes)
    case let array as [Any]: .array(try array.map { try ViewJSON.value($0, depth: depth + 1) ?? .null })
    case let dictionary as [String: Any]:
      .object(
        try dictionary.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
          JSONMember($0.key, try ViewJSON.value($0.value, depth: depth + 1) ?? .null)
        })
    default: try other(value, depth)
    }
  }

  private static func other(_ value: Any?, _ depth: Int) throws -> JSONValue? {
    // Unwraps an optional inside Any.
    if let value, case let mirror = Mirror(reflecting: value), mirror.displayStyle == .optional {
      return try mirror.children.first.flatMap { try ViewJSON.value($0.value, depth: depth) }
    }
    do {
      return try PropertyValue(value).jsonValue()
    } catch {
      throw CBLError(
        CBLError.invalidParameter, "a key or value of a view cannot be \(error.message)")
    }
  }

  static func parsed(_ text: [UInt8]) throws -> JSONValue { try JSONValue(jsonText: text) }

  /// Returns the text of a document on one line without spaces. Documents are stored with their original white space.
  static func oneLine(_ text: [UInt8]) throws -> [UInt8] { Array(try JSONValue(jsonText: text).text.utf8) }

  /// Returns the value of JSON text that was checked when it was read.
  static func stored(_ text: [UInt8]) -> JSONValue { (try? JSONValue(jsonText: text)) ?? .null }

  /// Returns the Swift value of JSON: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or
  /// `[String: Any]`.
  static func swift(_ value: JSONValue) -> Any {
    switch value {
    case .null: NSNull()
    case .boolean(let boolean): boolean
    case .int64(let number): Int(number)
    case .uint64(let number): number
    case .double(let number): number
    case .string(let string): string
    case .array(let elements): elements.map(swift)
    case .object(let members): Dictionary(members.map { ($0.key, swift($0.value)) }) { first, _ in first }
    }
  }
}
