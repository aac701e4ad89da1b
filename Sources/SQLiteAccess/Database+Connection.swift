public import GRDB
import GRDBSQLite

/// Functions of a connection that GRDB does not expose.
extension Database {
  /// A number that is unique among open connections.
  public var connectionNumber: UInt { UInt(bitPattern: sqliteConnection) }

  /// Whether no transaction is open. SQLite rolls a transaction back automatically on some errors, such as a full disk.
  public var isAutocommitting: Bool { sqlite3_get_autocommit(sqliteConnection) != 0 }

  /// Whether the open transaction has written to the file.
  public var hasWritten: Bool { sqlite3_txn_state(sqliteConnection, nil) == SQLITE_TXN_WRITE }

  /// Sets the maximum size of a string or blob in SQLite, in bytes.
  public func setMaximumLength(_ count: Int) {
    sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
  }

  /// Ends the running statement with `SQLITE_INTERRUPT` when a condition is true.
  ///
  /// - Parameters:
  ///   - stepCount: the number of virtual machine instructions between two tests.
  ///   - condition: the condition. It must not capture anything.
  public func interrupt(
    every stepCount: Int32, if condition: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32
  ) {
    sqlite3_progress_handler(sqliteConnection, stepCount, condition, nil)
  }
}
