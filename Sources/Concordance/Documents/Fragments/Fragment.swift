public import Foundation

/// A location in a document, whether or not it has a value: the result of a subscript.
///
/// ```swift
/// document["address"]["city"].string
/// document["phones"][0].exists
/// ```
///
/// If a part of the chain does not exist, every value is nil, 0 or false. The value is looked up when it is read.
public class Fragment: FragmentProtocol, ArrayFragment, DictionaryFragment {
  enum FragmentLocation {
    case nowhere
    case property(any DictionaryProtocol, String)
    case element(any ArrayProtocol, Int)
  }

  let location: FragmentLocation

  init(_ location: FragmentLocation) { self.location = location }

  convenience init(_ dictionary: any DictionaryProtocol, key: String) { self.init(.property(dictionary, key)) }

  convenience init(_ array: any ArrayProtocol, index: Int) { self.init(.element(array, index)) }

  /// The value; nil if there is none. See ``DictionaryProtocol/value(forKey:)`` for its types.
  public var value: Any? {
    switch location {
    case .nowhere: nil
    case .property(let dictionary, let key): dictionary.value(forKey: key)
    case .element(let array, let index): array.value(at: index)
    }
  }

  /// The value with numbers as Swift's own types.
  private var swiftValue: Any? {
    switch location {
    case .nowhere: nil
    case .property(let dictionary, let key): dictionary.swiftValue(forKey: key)
    case .element(let array, let index): array.swiftValue(at: index)
    }
  }

  /// The string; nil if it is missing or of another type.
  public var string: String? { TypedValue.string(swiftValue) }
  /// The number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public var int: Int { Int(TypedValue.int64(swiftValue)) }
  /// The number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public var int64: Int64 { TypedValue.int64(swiftValue) }
  /// The number; 1 for true; 0 if it is missing or of another type.
  public var float: Float { Float(TypedValue.double(swiftValue)) }
  /// The number; 1 for true; 0 if it is missing or of another type.
  public var double: Double { TypedValue.double(swiftValue) }
  /// The number, or the boolean as a number; nil if it is missing or of another type.
  public var number: NSNumber? { TypedValue.number(swiftValue) }
  /// False for false, null and the number 0, true for any other value; false if it is missing.
  public var boolean: Bool { TypedValue.boolean(swiftValue) }
  /// The date of an ISO 8601 string; a string without a time zone is local time; nil if it is missing or not a date.
  public var date: Date? { TypedValue.date(swiftValue) }
  /// The blob; nil if it is missing or of another type.
  public var blob: Blob? { swiftValue as? Blob }
  /// The array; nil if it is missing or of another type.
  public var array: ArrayObject? { value as? ArrayObject }
  /// The dictionary; nil if it is missing or of another type.
  public var dictionary: DictionaryObject? { value as? DictionaryObject }
  /// Whether ``value`` is not nil. A null of a document is a value, a null of a row is not.
  public var exists: Bool { value != nil }

  /// The element at a position of this array.
  ///
  /// - Parameter index: the position, beginning with 0.
  public subscript(index: Int) -> Fragment { array.map { Fragment($0, index: index) } ?? Fragment(.nowhere) }

  /// The property with a key of this dictionary.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { dictionary.map { Fragment($0, key: key) } ?? Fragment(.nowhere) }
}
