public import Foundation

/// The values of a location in a document. See ``Fragment``.
public protocol FragmentProtocol {
  /// The value; nil if there is none.
  var value: Any? { get }
  /// The string, or nil.
  var string: String? { get }
  /// The number, its fraction cut off; 1 for true; 0 for anything else.
  var int: Int { get }
  /// The number, its fraction cut off; 1 for true; 0 for anything else.
  var int64: Int64 { get }
  /// The number; 1 for true; 0 for anything else.
  var float: Float { get }
  /// The number; 1 for true; 0 for anything else.
  var double: Double { get }
  /// The number or boolean, or nil.
  var number: NSNumber? { get }
  /// True for true and for a number that is not 0; false for anything else.
  var boolean: Bool { get }
  /// The date of an ISO 8601 string, or nil.
  var date: Date? { get }
  /// The blob, or nil.
  var blob: Blob? { get }
  /// The array, or nil.
  var array: ArrayObject? { get }
  /// The dictionary, or nil.
  var dictionary: DictionaryObject? { get }
  /// Whether there is a value, null included.
  var exists: Bool { get }
}

/// The values that can be set at a location in a document. See ``MutableFragment``.
public protocol MutableFragmentProtocol: FragmentProtocol {
  /// The value; nil sets null.
  var value: Any? { get set }
  /// The string; nil sets null.
  var string: String? { get set }
  /// The number, its fraction cut off.
  var int: Int { get set }
  /// The number, its fraction cut off.
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
  /// The element at this position.
  subscript(index: Int) -> Fragment { get }
}

/// A type with properties that are read by key.
public protocol DictionaryFragment {
  /// The property with this key.
  subscript(key: String) -> Fragment { get }
}

/// A type with elements that are set by position.
public protocol MutableArrayFragment {
  /// The element at this position.
  subscript(index: Int) -> MutableFragment { get }
}

/// A type with properties that are set by key.
public protocol MutableDictionaryFragment {
  /// The property with this key.
  subscript(key: String) -> MutableFragment { get }
}
