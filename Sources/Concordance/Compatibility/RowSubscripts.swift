public import Foundation

// Typed subscripts of rows and arrays by position, as in the first developer builds of Couchbase Lite 2. The type of
// the context selects the subscript.
//
//     let name: String? = row[0]
//     let count: Int = row[1]

extension ArrayProtocol {
  /// The value; see ``boolean(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Bool { boolean(at: index) }

  /// The value; see ``int(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Int { int(at: index) }

  /// The value; see ``int64(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Int64 { int64(at: index) }

  /// The value; see ``float(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Float { float(at: index) }

  /// The value; see ``double(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Double { double(at: index) }

  /// The string, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> String? { string(at: index) }

  /// The date of an ISO 8601 string, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> Date? { date(at: index) }

  /// The blob, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> Blob? { blob(at: index) }

  /// The array, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> ArrayObject? { array(at: index) }

  /// The dictionary, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> DictionaryObject? { dictionary(at: index) }

  /// The array as Swift values, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> [Any]? { array(at: index)?.toArray() }

  /// The dictionary as Swift values, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> [String: Any]? { dictionary(at: index)?.toDictionary() }
}

extension QueryRow {
  /// The value; see ``ArrayProtocol/boolean(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Bool { result[index] }

  /// The value; see ``ArrayProtocol/int(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Int { result[index] }

  /// The value; see ``ArrayProtocol/int64(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Int64 { result[index] }

  /// The value; see ``ArrayProtocol/float(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Float { result[index] }

  /// The value; see ``ArrayProtocol/double(at:)``.
  @_disfavoredOverload
  public subscript(index: Int) -> Double { result[index] }

  /// The string, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> String? { result[index] }

  /// The date of an ISO 8601 string, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> Date? { result[index] }

  /// The blob, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> Blob? { result[index] }

  /// The array as Swift values, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> [Any]? { result[index] }

  /// The dictionary as Swift values, or nil.
  @_disfavoredOverload
  public subscript(index: Int) -> [String: Any]? { result[index] }

  /// The value; see ``value(at:)``.
  public subscript(index: Int) -> Any? { value(at: index) }
}
