import GRDB

extension Row {
  /// The value of a column, or a stand-in where a damaged file has something else: GRDB's own decoding stops the program.
  func value<T: DatabaseValueConvertible>(_ column: String, or defaultValue: T) -> T {
    let value: DatabaseValue = self[column]
    return T.fromDatabaseValue(value) ?? defaultValue
  }
}
