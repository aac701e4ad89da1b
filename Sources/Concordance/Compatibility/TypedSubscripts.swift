public import Foundation

// Typed subscripts of documents and dictionaries, as in the first developer builds of Couchbase Lite 2. The type of the
// context selects the subscript.
//
//     let name: String? = document["name"]
//     document["createdAt"] = Date()
//
// They are disfavored, so that `document["name"]` without a type is a fragment.

extension DictionaryProtocol {
  /// The value; see ``boolean(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Bool { boolean(forKey: key) }

  /// The value; see ``int(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Int { int(forKey: key) }

  /// The value; see ``int64(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Int64 { int64(forKey: key) }

  /// The value; see ``double(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Double { double(forKey: key) }

  /// The value; see ``float(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Float { float(forKey: key) }

  /// The string, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> String? { string(forKey: key) }

  /// The boolean, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Bool? { swiftValue(forKey: key) as? Bool }

  /// The integer, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Int? { number(forKey: key).map { _ in int(forKey: key) } }

  /// The integer, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Int64? { number(forKey: key).map { _ in int64(forKey: key) } }

  /// The number, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Double? { number(forKey: key).map { _ in double(forKey: key) } }

  /// The number, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Float? { number(forKey: key).map { _ in float(forKey: key) } }

  /// The number or boolean, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> NSNumber? { number(forKey: key) }

  /// The date of an ISO 8601 string, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Date? { date(forKey: key) }

  /// The blob, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> Blob? { blob(forKey: key) }

  /// The array as Swift values, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> [Any]? { array(forKey: key)?.toArray() }

  /// The dictionary as Swift values, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> [String: Any]? { dictionary(forKey: key)?.toDictionary() }

  /// The array, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> ArrayObject? { array(forKey: key) }

  /// The dictionary, or nil.
  @_disfavoredOverload
  public subscript(key: String) -> DictionaryObject? { dictionary(forKey: key) }
}

extension MutableDictionaryProtocol {
  /// The value; see ``boolean(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Bool {
    get { boolean(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value; see ``int(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Int {
    get { int(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value; see ``int64(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Int64 {
    get { int64(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value; see ``double(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Double {
    get { double(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value; see ``float(forKey:)``.
  @_disfavoredOverload
  public subscript(key: String) -> Float {
    get { float(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The string, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> String? {
    get { string(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The boolean, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Bool? {
    get { swiftValue(forKey: key) as? Bool }
    set { setValue(newValue, forKey: key) }
  }

  /// The integer, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Int? {
    get { number(forKey: key).map { _ in int(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The integer, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Int64? {
    get { number(forKey: key).map { _ in int64(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Double? {
    get { number(forKey: key).map { _ in double(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Float? {
    get { number(forKey: key).map { _ in float(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number or boolean, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> NSNumber? {
    get { number(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The date of an ISO 8601 string, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Date? {
    get { date(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The blob, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> Blob? {
    get { blob(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The array as Swift values, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> [Any]? {
    get { array(forKey: key)?.toArray() }
    set { setValue(newValue, forKey: key) }
  }

  /// The dictionary as Swift values, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> [String: Any]? {
    get { dictionary(forKey: key)?.toDictionary() }
    set { setValue(newValue, forKey: key) }
  }

  /// The array, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> MutableArrayObject? {
    get { array(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The dictionary, or nil; nil sets null.
  @_disfavoredOverload
  public subscript(key: String) -> MutableDictionaryObject? {
    get { dictionary(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}
