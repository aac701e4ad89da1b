public import Foundation

/// The getters of documents, of dictionaries in them, and of rows: properties by key, read as a type.
///
/// ```swift
/// hotel.string(forKey: "name")
/// hotel.int(forKey: "stars")
/// hotel["address"]["city"].string
/// ```
///
/// A getter never fails: a property that is missing or of another type gives nil, 0 or false.
public protocol DictionaryProtocol: AnyObject, DictionaryFragment {
  /// The number of properties.
  var count: Int { get }
  /// The keys, in the order of the text.
  var keys: [String] { get }
  /// Returns a value by its key.
  ///
  /// The types of the result are `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` and
  /// ``DictionaryObject``. A number can be cast to every numeric type that represents it exactly: `as? Int64`, `as?
  /// Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value; nil if it does not exist.
  func value(forKey key: String) -> Any?
  /// Returns an array by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array; nil if it is missing or of another type.
  func array(forKey key: String) -> ArrayObject?
  /// Returns a dictionary by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary; nil if it is missing or of another type.
  func dictionary(forKey key: String) -> DictionaryObject?
  /// Returns whether a property exists; null is a value, too.
  ///
  /// - Parameter key: the key of the property.
  func contains(key: String) -> Bool
  /// Returns all properties as Swift values, nested ones too: `[String: Any]`, `[Any]`, `String`, `NSNumber`, `Bool`,
  /// `NSNull` and ``Blob``.
  ///
  /// - Complexity: O(n) in the size of the object.
  func toDictionary() -> [String: Any]
  /// Returns the properties as JSON text. Unedited parts are returned as they were read.
  func toJSON() -> String
}

extension DictionaryProtocol {
  /// Returns a string by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the string; nil if it is missing or of another type.
  public func string(forKey key: String) -> String? { TypedValue.string(swiftValue(forKey: key)) }

  /// Returns a number by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, or the boolean as a number; nil if it is missing or of another type.
  public func number(forKey key: String) -> NSNumber? { TypedValue.number(swiftValue(forKey: key)) }

  /// Returns an integer by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public func int(forKey key: String) -> Int { Int(int64(forKey: key)) }

  /// Returns an integer by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if it is missing or of another type.
  public func int64(forKey key: String) -> Int64 { TypedValue.int64(swiftValue(forKey: key)) }

  /// Returns a number by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number; 1 for true; 0 if it is missing or of another type.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  /// Returns a number by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number; 1 for true; 0 if it is missing or of another type.
  public func double(forKey key: String) -> Double { TypedValue.double(swiftValue(forKey: key)) }

  /// Returns a boolean by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: false for false, null and the number 0, true for any other value; false if it is missing.
  public func boolean(forKey key: String) -> Bool { TypedValue.boolean(swiftValue(forKey: key)) }

  /// Returns a date by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the date of an ISO 8601 string; a string without a time zone is local time; nil if it is missing or not
  ///   a date.
  public func date(forKey key: String) -> Date? { TypedValue.date(swiftValue(forKey: key)) }

  /// Returns a blob by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the blob; nil if it is missing or of another type.
  public func blob(forKey key: String) -> Blob? { value(forKey: key) as? Blob }

  /// The property with a key, for chains such as `document["address"]["city"].string`.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { Fragment(self, key: key) }
}
