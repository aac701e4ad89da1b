public import Foundation

// Typed subscripts of rows and arrays by position, as in the first developer builds of Couchbase Lite 2. The type that
// the context requires determines which subscript is used.
//
//     let name: String? = row[0]
//     let count: Int = row[1]

extension ArrayProtocol {
  /// The value as a boolean; see ``boolean(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Bool { boolean(at: index) }

  /// The value as an integer; see ``int(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Int { int(at: index) }

  /// The value as an integer; see ``int64(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Int64 { int64(at: index) }

  /// The value as a floating-point number; see ``float(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Float { float(at: index) }

  /// The value as a floating-point number; see ``double(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Double { double(at: index) }

  /// The string; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> String? { string(at: index) }

  /// The date of an ISO 8601 string; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Date? { date(at: index) }

  /// The blob; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Blob? { blob(at: index) }

  /// The array; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> ArrayObject? { array(at: index) }

  /// The dictionary; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> DictionaryObject? { dictionary(at: index) }

  /// The array as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> [Any]? { array(at: index)?.toArray() }

  /// The dictionary as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> [String: Any]? { dictionary(at: index)?.toDictionary() }
}

extension QueryRow {
  /// The value as a boolean; see ``ArrayProtocol/boolean(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Bool { result[index] }

  /// The value as an integer; see ``ArrayProtocol/int(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Int { result[index] }

  /// The value as an integer; see ``ArrayProtocol/int64(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Int64 { result[index] }

  /// The value as a floating-point number; see ``ArrayProtocol/float(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Float { result[index] }

  /// The value as a floating-point number; see ``ArrayProtocol/double(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Double { result[index] }

  /// The string; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> String? { result[index] }

  /// The date of an ISO 8601 string; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Date? { result[index] }

  /// The blob; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> Blob? { result[index] }

  /// The array as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> [Any]? { result[index] }

  /// The dictionary as Swift values; nil if the value is missing or of another type.
  ///
  /// - Parameter index: the position, starting at 0.
  @_disfavoredOverload
  public subscript(index: Int) -> [String: Any]? { result[index] }

  /// The value; see ``value(at:)``.
  ///
  /// - Parameter index: the position, starting at 0.
  public subscript(index: Int) -> Any? { value(at: index) }
}
