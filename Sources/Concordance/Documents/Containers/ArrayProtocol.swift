public import Foundation

/// What arrays in documents and rows of results have in common: elements found by position, read as a type.
///
/// A getter never fails: an element that is missing or of another type gives nil, 0 or false, as its comment says.
public protocol ArrayProtocol: AnyObject, ArrayFragment {
  /// The number of elements.
  var count: Int { get }
  /// The value as `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``; nil if there is
  /// none. A number can be cast to every numeric type that holds it exactly: `as? Int64`, `as? Double`.
  func value(at index: Int) -> Any?
  /// The array, or nil.
  func array(at index: Int) -> ArrayObject?
  /// The dictionary, or nil.
  func dictionary(at index: Int) -> DictionaryObject?
  /// All elements as Swift values, nested ones too: `[String: Any]`, `[Any]`, `String`, `NSNumber`, `Bool`,
  /// `NSNull` and ``Blob``.
  func toArray() -> [Any]
  /// The elements as JSON text.
  func toJSON() -> String
}

extension ArrayProtocol {
  /// The string, or nil.
  public func string(at index: Int) -> String? { TypedValue.string(swiftValue(at: index)) }

  /// The number or boolean, or nil.
  public func number(at index: Int) -> NSNumber? { TypedValue.number(swiftValue(at: index)) }

  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public func int(at index: Int) -> Int { Int(int64(at: index)) }

  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public func int64(at index: Int) -> Int64 { TypedValue.int64(swiftValue(at: index)) }

  /// The number; 1 for true; 0 for anything else.
  public func float(at index: Int) -> Float { Float(double(at: index)) }

  /// The number; 1 for true; 0 for anything else.
  public func double(at index: Int) -> Double { TypedValue.double(swiftValue(at: index)) }

  /// False for false, null, a missing value and the number 0; true for anything else.
  public func boolean(at index: Int) -> Bool { TypedValue.boolean(swiftValue(at: index)) }

  /// The date of an ISO 8601 string, or nil. A string without a zone is local time.
  public func date(at index: Int) -> Date? { TypedValue.date(swiftValue(at: index)) }

  /// The blob, or nil.
  public func blob(at index: Int) -> Blob? { value(at: index) as? Blob }

  /// The element at this position, for chains such as `document["phones"][0].string`.
  public subscript(index: Int) -> Fragment { Fragment(self, index: index) }
}
