public import Foundation

/// A place in a document, whether there is something or not: what a subscript gives.
///
/// ```swift
/// document["address"]["city"].string
/// document["phones"][0].exists
/// ```
///
/// A chain may lead to nowhere; then every value is nil, 0 or false. The value is looked up when it is asked for.
public class Fragment: FragmentProtocol, ArrayFragment, DictionaryFragment {
  enum Place {
    case nowhere
    case property(any DictionaryProtocol, String)
    case element(any ArrayProtocol, Int)
  }

  let place: Place

  init(_ place: Place) { self.place = place }

  convenience init(_ dictionary: any DictionaryProtocol, key: String) { self.init(.property(dictionary, key)) }

  convenience init(_ array: any ArrayProtocol, index: Int) { self.init(.element(array, index)) }

  /// The value, or nil where there is none. See ``DictionaryProtocol/value(forKey:)`` for its types.
  public var value: Any? {
    switch place {
    case .nowhere: nil
    case .property(let dictionary, let key): dictionary.value(forKey: key)
    case .element(let array, let index): array.value(at: index)
    }
  }

  /// The value with numbers as Swift's own types.
  private var swiftValue: Any? {
    switch place {
    case .nowhere: nil
    case .property(let dictionary, let key): dictionary.swiftValue(forKey: key)
    case .element(let array, let index): array.swiftValue(at: index)
    }
  }

  /// The string, or nil.
  public var string: String? { TypedValue.string(swiftValue) }
  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public var int: Int { Int(TypedValue.int64(swiftValue)) }
  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public var int64: Int64 { TypedValue.int64(swiftValue) }
  /// The number; 1 for true; 0 for anything else.
  public var float: Float { Float(TypedValue.double(swiftValue)) }
  /// The number; 1 for true; 0 for anything else.
  public var double: Double { TypedValue.double(swiftValue) }
  /// The number or boolean, or nil.
  public var number: NSNumber? { TypedValue.number(swiftValue) }
  /// False for false, null, a missing value and the number 0; true for anything else.
  public var boolean: Bool { TypedValue.boolean(swiftValue) }
  /// The date of an ISO 8601 string, or nil. A string without a zone is local time.
  public var date: Date? { TypedValue.date(swiftValue) }
  /// The blob, or nil.
  public var blob: Blob? { swiftValue as? Blob }
  /// The array, or nil.
  public var array: ArrayObject? { value as? ArrayObject }
  /// The dictionary, or nil.
  public var dictionary: DictionaryObject? { value as? DictionaryObject }
  /// Whether ``value`` is not nil: a null of a document is a value, a null of a row is not.
  public var exists: Bool { value != nil }

  /// The element at this position of the array here.
  public subscript(index: Int) -> Fragment { array.map { Fragment($0, index: index) } ?? Fragment(.nowhere) }

  /// The property with this key of the dictionary here.
  public subscript(key: String) -> Fragment { dictionary.map { Fragment($0, key: key) } ?? Fragment(.nowhere) }
}
