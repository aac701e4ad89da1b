public import Foundation

/// What documents have in common: properties found by key, read as a type.
///
/// A getter never fails: a property that is missing or of another type gives nil, 0 or false, as its comment says.
public protocol DictionaryProtocol: AnyObject {
  /// The number of properties.
  var count: Int { get }
  /// The keys, in the order of the text.
  var keys: [String] { get }
  /// The value as `String`, `Int`, `Double`, `Bool`, `NSNull`, `[Any]` or `[String: Any]`; nil where there is none.
  func value(forKey key: String) -> Any?
  /// The string, or nil.
  func string(forKey key: String) -> String?
  /// The number or boolean, or nil.
  func number(forKey key: String) -> NSNumber?
  /// The number, its fraction cut off; 1 for true; 0 for anything else.
  func int(forKey key: String) -> Int
  /// The number, its fraction cut off; 1 for true; 0 for anything else.
  func int64(forKey key: String) -> Int64
  /// The number; 1 for true; 0 for anything else.
  func float(forKey key: String) -> Float
  /// The number; 1 for true; 0 for anything else.
  func double(forKey key: String) -> Double
  /// True for true and for a number that is not 0; false for anything else.
  func boolean(forKey key: String) -> Bool
  /// The date of an ISO 8601 string, or nil. A string without a zone is local time.
  func date(forKey key: String) -> Date?
  /// Whether there is a property with this key, null included.
  func contains(key: String) -> Bool
  /// All properties as Swift values.
  func toDictionary() -> [String: Any]
}
