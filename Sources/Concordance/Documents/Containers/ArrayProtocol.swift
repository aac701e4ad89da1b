public import Foundation

/// The getters of arrays in documents, and of rows: elements by position, read as a type.
///
/// ```swift
/// phones.string(at: 0)
/// phones[0].string  // the same
/// ```
///
/// A getter never fails: an element that is missing or of another type gives nil, 0 or false.
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
  /// Returns a string by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the string; nil if it is missing or of another type.
  public func string(at index: Int) -> String? { TypedValue.string(swiftValue(at: index)) }

  /// Returns a number by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the number, or the boolean as a number; nil if it is missing or of another type.
  public func number(at index: Int) -> NSNumber? { TypedValue.number(swiftValue(at: index)) }

  /// Returns an integer by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public func int(at index: Int) -> Int { Int(int64(at: index)) }

  /// Returns an integer by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public func int64(at index: Int) -> Int64 { TypedValue.int64(swiftValue(at: index)) }

  /// Returns a number by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the number; 1 for true; 0 if it is missing or of another type.
  public func float(at index: Int) -> Float { Float(double(at: index)) }

  /// Returns a number by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the number; 1 for true; 0 if it is missing or of another type.
  public func double(at index: Int) -> Double { TypedValue.double(swiftValue(at: index)) }

  /// Returns a boolean by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: false for false, null and the number 0, true for any other value; false if it is missing.
  public func boolean(at index: Int) -> Bool { TypedValue.boolean(swiftValue(at: index)) }

  /// Returns a date by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the date of an ISO 8601 string; a string without a time zone is local time; nil if it is missing or not
  ///   a date.
  public func date(at index: Int) -> Date? { TypedValue.date(swiftValue(at: index)) }

  /// Returns a blob by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the blob; nil if it is missing or of another type.
  public func blob(at index: Int) -> Blob? { value(at: index) as? Blob }

  /// The element at a position, for chains such as `document["phones"][0].string`.
  ///
  /// - Parameter index: the position, beginning with 0.
  public subscript(index: Int) -> Fragment { Fragment(self, index: index) }
}
