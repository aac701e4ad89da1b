import GRDB
import GRDBSQLite

/// Conversion of SQLite's errors to `DatabaseError`.
extension DatabaseError {
  /// The last error of a connection.
  init(lastOf connection: OpaquePointer?, sql: String? = nil) {
    self.init(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)), sql: sql)
  }

  /// Throws unless an SQLite function returned SQLITE_OK.
  ///
  /// - Parameters:
  ///   - code: the result code.
  ///   - connection: the connection that provides the message.
  static func check(_ code: Int32, _ connection: OpaquePointer?) throws {
    guard code != GRDBSQLite.SQLITE_OK else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
  }
}
