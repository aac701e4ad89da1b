public import Foundation

// Typed subscripts of documents and dictionaries, as in the first developer builds of Couchbase Lite 2. The type that
// the context requires determines which subscript is used.
//
//     let name: String? = document["name"]
//     document["createdAt"] = Date()
//
// They are disfavored, so that `document["name"]` returns a fragment if the context does not require a type.

extension DictionaryProtocol {
  /// The value as a boolean; see ``boolean(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Bool { boolean(forKey: key) }

  /// The value as an integer; see ``int(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int { int(forKey: key) }

  /// The value as an integer; see ``int64(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int64 { int64(forKey: key) }

  /// The value as a floating-point number; see ``double(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Double { double(forKey: key) }

  /// The value as a floating-point number; see ``float(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Float { float(forKey: key) }

  /// The string; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> String? { string(forKey: key) }

  /// The boolean; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Bool? { swiftValue(forKey: key) as? Bool }

  /// The integer; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int? { number(forKey: key).map { _ in int(forKey: key) } }

  /// The integer; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int64? { number(forKey: key).map { _ in int64(forKey: key) } }

  /// The number; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Double? { number(forKey: key).map { _ in double(forKey: key) } }

  /// The number; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Float? { number(forKey: key).map { _ in float(forKey: key) } }

  /// The number or boolean; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> NSNumber? { number(forKey: key) }

  /// The date of an ISO 8601 string; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Date? { date(forKey: key) }

  /// The blob; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Blob? { blob(forKey: key) }

  /// The array as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> [Any]? { array(forKey: key)?.toArray() }

  /// The dictionary as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> [String: Any]? { dictionary(forKey: key)?.toDictionary() }

  /// The array; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> ArrayObject? { array(forKey: key) }

  /// The dictionary; nil if the value is missing or of another type.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> DictionaryObject? { dictionary(forKey: key) }
}

extension MutableDictionaryProtocol {
  /// The value as a boolean; see ``boolean(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Bool {
    get { boolean(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value as an integer; see ``int(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int {
    get { int(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value as an integer; see ``int64(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int64 {
    get { int64(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value as a floating-point number; see ``double(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Double {
    get { double(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value as a floating-point number; see ``float(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Float {
    get { float(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The string; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> String? {
    get { string(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The boolean; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Bool? {
    get { swiftValue(forKey: key) as? Bool }
    set { setValue(newValue, forKey: key) }
  }

  /// The integer; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int? {
    get { number(forKey: key).map { _ in int(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The integer; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Int64? {
    get { number(forKey: key).map { _ in int64(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Double? {
    get { number(forKey: key).map { _ in double(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Float? {
    get { number(forKey: key).map { _ in float(forKey: key) } }
    set { setValue(newValue, forKey: key) }
  }

  /// The number or boolean; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> NSNumber? {
    get { number(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The date of an ISO 8601 string; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Date? {
    get { date(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The blob; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> Blob? {
    get { blob(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The array as Swift values; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> [Any]? {
    get { array(forKey: key)?.toArray() }
    set { setValue(newValue, forKey: key) }
  }

  /// The dictionary as Swift values; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> [String: Any]? {
    get { dictionary(forKey: key)?.toDictionary() }
    set { setValue(newValue, forKey: key) }
  }

  /// The array; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> MutableArrayObject? {
    get { array(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The dictionary; nil if the value is missing or of another type. Setting nil stores null.
  ///
  /// - Parameter key: the key of the property.
  @_disfavoredOverload
  public subscript(key: String) -> MutableDictionaryObject? {
    get { dictionary(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}
