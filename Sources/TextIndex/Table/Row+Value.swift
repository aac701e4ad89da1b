import GRDB

extension Row {
  /// The value of a column, or a default if a damaged file has a value of another type: GRDB's decoding would trap.
  func value<T: DatabaseValueConvertible>(_ column: String, or defaultValue: T) -> T {
    let value: DatabaseValue = self[column]
    return T.fromDatabaseValue(value) ?? defaultValue
  }
}
