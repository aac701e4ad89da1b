import Foundation
import JSONText

// Programs cast values of type `Any`: `value as! Int64`, `as? Double` for an integer, `as? [Double]`. A Swift number in
// an `Any` can be cast only to its own type; an `NSNumber` can be cast to every numeric type that represents the number
// exactly. Creating an `NSNumber` takes about 90 ns; boxing a Swift number in an `Any` takes 20 ns. Therefore, typed
// getters and decoders read the Swift number (`swiftValue`), and only values that are returned as `Any` are `NSNumber`s
// (`castableValue`).

extension JSONValue {
  /// The value as a Swift value: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or `[String: Any]`.
  var swiftValue: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let value): value
    case .int64(let value): Int(value)
    case .uint64(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.swiftValue)
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.swiftValue) }, uniquingKeysWith: { first, _ in first })
    }
  }
}

extension JSONValue {
  /// The scalar with numbers as `NSNumber`, so that programs can cast it, and booleans as `Bool`.
  fileprivate var castableValue: Any {
    switch self {
    case .int64(let value): NSNumber(value: value)
    case .uint64(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .null, .boolean, .string, .array, .object: swiftValue
    }
  }
}

extension PropertyValue {
  /// The value with numbers as `NSNumber`, so that programs can cast it; nil for a value that cannot be stored.
  var castableValue: Any? {
    switch self {
    case .scalar(let value): value.castableValue
    case .number(let digits): JSONValue(number: digits).castableValue
    case .text, .dictionary, .array, .blob, .removed, .unusable: swiftValue
    }
  }
}

extension DictionaryProtocol {
  /// Returns the value of a property with numbers as Swift types, for typed getters.
  func swiftValue(forKey key: String) -> Any? {
    if let dictionary = self as? DictionaryObject { return dictionary.withState { $0.item(forKey: key) }?.swiftValue }
    if let document = self as? Document { return document.root.swiftValue(forKey: key) }
    if let row = self as? Result { return row.position(of: key).flatMap { row.swiftValue(at: $0) } }
    return value(forKey: key)
  }
}

extension ArrayProtocol {
  /// Returns an element with numbers as Swift types, for typed getters.
  func swiftValue(at index: Int) -> Any? {
    if let array = self as? ArrayObject { return array.withState { $0.item(at: index) }?.swiftValue }
    if let row = self as? Result { return row.propertyValue(at: index)?.swiftValue }
    return value(at: index)
  }
}
