public import GRDB
import GRDBSQLite

/// What GRDB does not offer of a connection.
extension Database {
  /// A number that no other open connection has.
  public var connectionNumber: UInt { UInt(bitPattern: sqliteConnection) }

  /// Whether no transaction is open. SQLite rolls back by itself when the disk is full or fails.
  public var isAutocommitting: Bool { sqlite3_get_autocommit(sqliteConnection) != 0 }

  /// Whether the open transaction has written to the file.
  public var hasWritten: Bool { sqlite3_txn_state(sqliteConnection, nil) == SQLITE_TXN_WRITE }

  /// Sets the longest string or blob that SQLite makes or reads, in bytes.
  public func setMaximumLength(_ count: Int) {
    sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
  }

  /// Ends the running statement with `SQLITE_INTERRUPT` when a condition is true.
  ///
  /// - Parameters:
  ///   - stepCount: steps of SQLite's virtual machine between two tests.
  ///   - condition: the condition. It captures nothing.
  public func interrupt(
    every stepCount: Int32, if condition: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32
  ) {
    sqlite3_progress_handler(sqliteConnection, stepCount, condition, nil)
  }
}
