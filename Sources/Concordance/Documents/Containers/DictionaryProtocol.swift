public import Foundation

/// A type whose properties are read by key: documents, dictionaries in documents, and rows of query results.
///
/// ```swift
/// hotel.string(forKey: "name")
/// hotel.int(forKey: "stars")
/// hotel["address"]["city"].string
/// ```
///
/// A getter never throws. If the property is missing or of another type, it returns nil, 0 or false.
public protocol DictionaryProtocol: AnyObject, DictionaryFragment {
  /// The number of properties.
  var count: Int { get }
  /// The keys, in the order of the JSON text.
  var keys: [String] { get }
  /// Returns the value of a property.
  ///
  /// The result is a `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``. A
  /// number can be cast to every numeric type that represents it exactly, for example with `as? Int64` or `as? Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value, or nil if the property does not exist.
  func value(forKey key: String) -> Any?
  /// Returns the value of a property as an array.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the value is missing or of another type.
  func array(forKey key: String) -> ArrayObject?
  /// Returns the value of a property as a dictionary.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  func dictionary(forKey key: String) -> DictionaryObject?
  /// Returns whether a property exists. A property that is null exists.
  ///
  /// - Parameter key: the key of the property.
  func contains(key: String) -> Bool
  /// Returns all properties, including nested ones, as Swift values: `[String: Any]`, `[Any]`, `String`, `NSNumber`,
  /// `Bool`, `NSNull` and ``Blob``.
  ///
  /// - Complexity: O(n) in the size of the object.
  func toDictionary() -> [String: Any]
  /// Returns the properties as JSON text. The text of unedited parts is unchanged.
  func toJSON() -> String
}

extension DictionaryProtocol {
  /// Returns the value of a property as a string.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the string, or nil if the value is missing or of another type.
  public func string(forKey key: String) -> String? { TypedValue.string(swiftValue(forKey: key)) }

  /// Returns the value of a property as a number.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, or the boolean as a number; nil if the value is missing or of another type.
  public func number(forKey key: String) -> NSNumber? { TypedValue.number(swiftValue(forKey: key)) }

  /// Returns the value of a property as an integer.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another
  ///   type.
  public func int(forKey key: String) -> Int { Int(int64(forKey: key)) }

  /// Returns the value of a property as an integer.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another
  ///   type.
  public func int64(forKey key: String) -> Int64 { TypedValue.int64(swiftValue(forKey: key)) }

  /// Returns the value of a property as a number.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number; 1 for true; 0 if the value is missing or of another type.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  /// Returns the value of a property as a number.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the number; 1 for true; 0 if the value is missing or of another type.
  public func double(forKey key: String) -> Double { TypedValue.double(swiftValue(forKey: key)) }

  /// Returns the value of a property as a boolean.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: false for false, null, the number 0 and a missing value; true for any other value.
  public func boolean(forKey key: String) -> Bool { TypedValue.boolean(swiftValue(forKey: key)) }

  /// Returns the value of a property as a date.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the date of an ISO 8601 string, or nil if the value is missing or not a date. A string without a time
  ///   zone is local time.
  public func date(forKey key: String) -> Date? { TypedValue.date(swiftValue(forKey: key)) }

  /// Returns the value of a property as a blob.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the blob, or nil if the value is missing or of another type.
  public func blob(forKey key: String) -> Blob? { value(forKey: key) as? Blob }

  /// The property with the given key, for chains such as `document["address"]["city"].string`.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { Fragment(self, key: key) }
}
