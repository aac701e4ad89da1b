public import Foundation

/// A type whose elements are read by position: arrays in documents, and rows of query results.
///
/// ```swift
/// phones.string(at: 0)
/// phones[0].string  // the same
/// ```
///
/// A getter never throws. If the element is missing or of another type, it returns nil, 0 or false.
public protocol ArrayProtocol: AnyObject, ArrayFragment {
  /// The number of elements.
  var count: Int { get }
  /// Returns the value of an element.
  ///
  /// The result is a `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``. A
  /// number can be cast to every numeric type that represents it exactly, for example with `as? Int64` or `as? Double`.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the value, or nil if the element does not exist.
  func value(at index: Int) -> Any?
  /// Returns an element as an array.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the array, or nil if the element is missing or of another type.
  func array(at index: Int) -> ArrayObject?
  /// Returns an element as a dictionary.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the dictionary, or nil if the element is missing or of another type.
  func dictionary(at index: Int) -> DictionaryObject?
  /// Returns all elements, including nested ones, as Swift values: `[String: Any]`, `[Any]`, `String`, `NSNumber`,
  /// `Bool`, `NSNull` and ``Blob``.
  ///
  /// - Complexity: O(n) in the size of the object.
  func toArray() -> [Any]
  /// Returns the elements as JSON text. The text of unedited parts is unchanged.
  func toJSON() -> String
}

extension ArrayProtocol {
  /// Returns an element as a string.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the string, or nil if the value is missing or of another type.
  public func string(at index: Int) -> String? { TypedValue.string(swiftValue(at: index)) }

  /// Returns an element as a number.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the number, or the boolean as a number; nil if the value is missing or of another type.
  public func number(at index: Int) -> NSNumber? { TypedValue.number(swiftValue(at: index)) }

  /// Returns an element as an integer.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another
  ///   type.
  public func int(at index: Int) -> Int { Int(int64(at: index)) }

  /// Returns an element as an integer.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another
  ///   type.
  public func int64(at index: Int) -> Int64 { TypedValue.int64(swiftValue(at: index)) }

  /// Returns an element as a number.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the number; 1 for true; 0 if the value is missing or of another type.
  public func float(at index: Int) -> Float { Float(double(at: index)) }

  /// Returns an element as a number.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the number; 1 for true; 0 if the value is missing or of another type.
  public func double(at index: Int) -> Double { TypedValue.double(swiftValue(at: index)) }

  /// Returns an element as a boolean.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: false for false, null, the number 0 and a missing value; true for any other value.
  public func boolean(at index: Int) -> Bool { TypedValue.boolean(swiftValue(at: index)) }

  /// Returns an element as a date.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the date of an ISO 8601 string, or nil if the value is missing or not a date. A string without a time
  ///   zone is local time.
  public func date(at index: Int) -> Date? { TypedValue.date(swiftValue(at: index)) }

  /// Returns an element as a blob.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the blob, or nil if the value is missing or of another type.
  public func blob(at index: Int) -> Blob? { value(at: index) as? Blob }

  /// The element at the given position, for chains such as `document["phones"][0].string`.
  ///
  /// - Parameter index: the position, starting at 0.
  public subscript(index: Int) -> Fragment { Fragment(self, index: index) }
}
