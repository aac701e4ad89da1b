public import Foundation

/// A location in a document, which may or may not have a value: the result of a subscript.
///
/// ```swift
/// document["address"]["city"].string
/// document["phones"][0].exists
/// ```
///
/// If a part of the chain does not exist, every property of the fragment is nil, 0 or false. The value is looked up
/// each time a property is read.
public class Fragment: FragmentProtocol, ArrayFragment, DictionaryFragment {
  enum FragmentLocation {
    case missing
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
    case .missing: nil
    case .property(let dictionary, let key): dictionary.value(forKey: key)
    case .element(let array, let index): array.value(at: index)
    }
  }

  /// The value with numbers as Swift types.
  private var swiftValue: Any? {
    switch location {
    case .missing: nil
    case .property(let dictionary, let key): dictionary.swiftValue(forKey: key)
    case .element(let array, let index): array.swiftValue(at: index)
    }
  }

  /// The string; nil if the value is missing or of another type.
  public var string: String? { TypedValue.string(swiftValue) }
  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  public var int: Int { Int(TypedValue.int64(swiftValue)) }
  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  public var int64: Int64 { TypedValue.int64(swiftValue) }
  /// The number; 1 for true; 0 if the value is missing or of another type.
  public var float: Float { Float(TypedValue.double(swiftValue)) }
  /// The number; 1 for true; 0 if the value is missing or of another type.
  public var double: Double { TypedValue.double(swiftValue) }
  /// The number, or the boolean as a number; nil if the value is missing or of another type.
  public var number: NSNumber? { TypedValue.number(swiftValue) }
  /// False for false, null, the number 0 and a missing value; true for any other value.
  public var boolean: Bool { TypedValue.boolean(swiftValue) }
  /// The date of an ISO 8601 string; nil if the value is missing or not a date. A string without a time zone is local
  /// time.
  public var date: Date? { TypedValue.date(swiftValue) }
  /// The blob; nil if the value is missing or of another type.
  public var blob: Blob? { swiftValue as? Blob }
  /// The array; nil if the value is missing or of another type.
  public var array: ArrayObject? { value as? ArrayObject }
  /// The dictionary; nil if the value is missing or of another type.
  public var dictionary: DictionaryObject? { value as? DictionaryObject }
  /// Whether ``value`` is not nil. In a document, a null is a value; in a row of a query result, it is not.
  public var exists: Bool { value != nil }

  /// The element at the given position of this array.
  ///
  /// - Parameter index: the position, starting at 0.
  public subscript(index: Int) -> Fragment { array.map { Fragment($0, index: index) } ?? Fragment(.missing) }

  /// The property with the given key of this dictionary.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { dictionary.map { Fragment($0, key: key) } ?? Fragment(.missing) }
}
