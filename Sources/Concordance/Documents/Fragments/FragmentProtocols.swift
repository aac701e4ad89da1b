public import Foundation

/// The value at a location in a document, converted to various types. See ``Fragment``.
public protocol FragmentProtocol {
  /// The value; nil if there is none.
  var value: Any? { get }
  /// The string; nil if the value is missing or of another type.
  var string: String? { get }
  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  var int: Int { get }
  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  var int64: Int64 { get }
  /// The number; 1 for true; 0 if the value is missing or of another type.
  var float: Float { get }
  /// The number; 1 for true; 0 if the value is missing or of another type.
  var double: Double { get }
  /// The number, or the boolean as a number; nil if the value is missing or of another type.
  var number: NSNumber? { get }
  /// False for false, null, the number 0 and a missing value; true for any other value.
  var boolean: Bool { get }
  /// The date of an ISO 8601 string; nil if the value is missing or not a date.
  var date: Date? { get }
  /// The blob; nil if the value is missing or of another type.
  var blob: Blob? { get }
  /// The array; nil if the value is missing or of another type.
  var array: ArrayObject? { get }
  /// The dictionary; nil if the value is missing or of another type.
  var dictionary: DictionaryObject? { get }
  /// Whether ``value`` is not nil.
  var exists: Bool { get }
}

/// The value at a location in a document, which can be set. See ``MutableFragment``.
public protocol MutableFragmentProtocol: FragmentProtocol {
  /// The value; nil sets null.
  var value: Any? { get set }
  /// The string; nil sets null.
  var string: String? { get set }
  /// The number, truncated and clamped to the type.
  var int: Int { get set }
  /// The number, truncated and clamped to the type.
  var int64: Int64 { get set }
  /// The number.
  var float: Float { get set }
  /// The number.
  var double: Double { get set }
  /// The number or boolean; nil sets null.
  var number: NSNumber? { get set }
  /// The boolean.
  var boolean: Bool { get set }
  /// The date; nil sets null.
  var date: Date? { get set }
  /// The blob; nil sets null.
  var blob: Blob? { get set }
  /// The array; nil sets null.
  var array: MutableArrayObject? { get set }
  /// The dictionary; nil sets null.
  var dictionary: MutableDictionaryObject? { get set }
}

/// A type with elements that are read by position.
public protocol ArrayFragment {
  /// The element at the given position.
  ///
  /// - Parameter index: the position, starting at 0.
  subscript(index: Int) -> Fragment { get }
}

/// A type with properties that are read by key.
public protocol DictionaryFragment {
  /// The property with the given key.
  ///
  /// - Parameter key: the key of the property.
  subscript(key: String) -> Fragment { get }
}

/// A type with elements that are set by position.
public protocol MutableArrayFragment {
  /// The element at the given position.
  ///
  /// - Parameter index: the position, starting at 0.
  subscript(index: Int) -> MutableFragment { get }
}

/// A type with properties that are set by key.
public protocol MutableDictionaryFragment {
  /// The property with the given key.
  ///
  /// - Parameter key: the key of the property.
  subscript(key: String) -> MutableFragment { get }
}
