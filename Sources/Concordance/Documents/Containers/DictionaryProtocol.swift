public import Foundation

/// What documents, dictionaries in them and rows of results have in common: properties found by key, read as a type.
///
/// A getter never fails: a property that is missing or of another type gives nil, 0 or false, as its comment says.
public protocol DictionaryProtocol: AnyObject, DictionaryFragment {
  /// The number of properties.
  var count: Int { get }
  /// The keys, in the order of the text.
  var keys: [String] { get }
  /// The value as `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``; nil if there is
  /// none. A number can be cast to every numeric type that holds it exactly: `as? Int64`, `as? Double`.
  func value(forKey key: String) -> Any?
  /// The array, or nil.
  func array(forKey key: String) -> ArrayObject?
  /// The dictionary, or nil.
  func dictionary(forKey key: String) -> DictionaryObject?
  /// Whether there is a property with this key, null included.
  func contains(key: String) -> Bool
  /// All properties as Swift values, nested ones too: `[String: Any]`, `[Any]`, `String`, `NSNumber`, `Bool`,
  /// `NSNull` and ``Blob``.
  func toDictionary() -> [String: Any]
  /// The properties as JSON text.
  func toJSON() -> String
}

extension DictionaryProtocol {
  /// The string, or nil.
  public func string(forKey key: String) -> String? { TypedValue.string(swiftValue(forKey: key)) }

  /// The number or boolean, or nil.
  public func number(forKey key: String) -> NSNumber? { TypedValue.number(swiftValue(forKey: key)) }

  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public func int(forKey key: String) -> Int { Int(int64(forKey: key)) }

  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public func int64(forKey key: String) -> Int64 { TypedValue.int64(swiftValue(forKey: key)) }

  /// The number; 1 for true; 0 for anything else.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  /// The number; 1 for true; 0 for anything else.
  public func double(forKey key: String) -> Double { TypedValue.double(swiftValue(forKey: key)) }

  /// False for false, null, a missing value and the number 0; true for anything else.
  public func boolean(forKey key: String) -> Bool { TypedValue.boolean(swiftValue(forKey: key)) }

  /// The date of an ISO 8601 string, or nil. A string without a zone is local time.
  public func date(forKey key: String) -> Date? { TypedValue.date(swiftValue(forKey: key)) }

  /// The blob, or nil.
  public func blob(forKey key: String) -> Blob? { value(forKey: key) as? Blob }

  /// The property with this key, for chains such as `document["address"]["city"].string`.
  public subscript(key: String) -> Fragment { Fragment(self, key: key) }
}
