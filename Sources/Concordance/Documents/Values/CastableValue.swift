import Foundation
import JSONText

// Programs cast the values that they get: `value as! Int64`, `as? Double` of a whole number, `as? [Double]`. A Swift number in
// an `Any` casts to its own type alone; an `NSNumber` casts to every numeric type that holds the number exactly. Making one
// costs about 90 ns, a Swift number in an `Any` 20 ns, so typed getters and decoders read the Swift number
// (`swiftValue`), and only values that programs get as `Any` are made castable.

extension JSONValue {
  /// The scalar for a program that casts it: numbers as `NSNumber`, booleans as `Bool`.
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
  /// The value for a program that casts it; nil for a value that cannot be stored.
  var castableValue: Any? {
    switch self {
    case .scalar(let value): value.castableValue
    case .number(let digits): JSONValue(number: digits).castableValue
    case .text, .dictionary, .array, .blob, .removed, .unusable: swiftValue
    }
  }
}

extension DictionaryProtocol {
  /// The value of a property with numbers as Swift's own types, for getters that return a type.
  func swiftValue(forKey key: String) -> Any? {
    if let dictionary = self as? DictionaryObject { return dictionary.withState { $0.item(forKey: key) }?.swiftValue }
    if let document = self as? Document { return document.root.swiftValue(forKey: key) }
    if let row = self as? Result { return row.position(of: key).flatMap { row.swiftValue(at: $0) } }
    return value(forKey: key)
  }
}

extension ArrayProtocol {
  /// The element with numbers as Swift's own types, for getters that return a type.
  func swiftValue(at index: Int) -> Any? {
    if let array = self as? ArrayObject { return array.withState { $0.item(at: index) }?.swiftValue }
    if let row = self as? Result { return row.propertyValue(at: index)?.swiftValue }
    return value(at: index)
  }
}
