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

  /// A number that changes with every commit to the file; nil outside a transaction that has only read.
  ///
  /// Two transactions of one connection with the same number see the same state. The number is read without a
  /// statement, see `SQLITE_FCNTL_DATA_VERSION`, <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
  public var readVersion: UInt32? {
    guard sqlite3_txn_state(sqliteConnection, "main") == SQLITE_TXN_READ else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// Runs statements without parameters, such as settings. Rows that they return are skipped.
  ///
  /// GRDB's `execute(sql:)` first parses the text with its own types, which takes longer than a setting.
  ///
  /// - Throws: `DatabaseError`.
  public func runAll(_ sql: String) throws {
    guard sqlite3_exec(sqliteConnection, sql, nil, nil, nil) == SQLITE_OK else {
      throw DatabaseError(lastOf: sqliteConnection, sql: sql)
    }
  }

  /// Calls `body`, which reads many pages once, with a small page cache.
  ///
  /// The pages are not read again, and the page faults of a cache for all of them take as long as reading them. A
  /// transaction that has written keeps its cache, because SQLite would write its changed pages to the log.
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  public func withSmallPageCache<T>(_ body: () throws -> T) throws -> T {
    let statement = try SQLStatement(cached: "PRAGMA cache_size", in: self)
    guard !hasWritten, try statement.step() else { return try body() }
    let size = statement.row.int64(0)
    statement.reset()
    try runAll("PRAGMA cache_size = -256")
    defer { try? runAll("PRAGMA cache_size = \(size)") }
    return try body()
  }

  /// Sets the maximum size of a string or blob in SQLite, in bytes.
  public func setMaximumLength(_ count: Int) {
    sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
  }

  /// Calls `body`, which frees pages whose contents need not be overwritten with zeros.
  ///
  /// Some builds of SQLite, such as those of Debian, overwrite freed pages by default, which writes each of them to the
  /// log (`PRAGMA secure_delete`).
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  public func withoutOverwritingFreedPages<T>(_ body: () throws -> T) throws -> T {
    guard try Int.fetchOne(self, sql: "PRAGMA main.secure_delete") == 1 else { return try body() }
    try execute(sql: "PRAGMA main.secure_delete = FAST")
    // Fails only if memory is short. Freed pages are then not overwritten until the connection is closed.
    defer { try? execute(sql: "PRAGMA main.secure_delete = ON") }
    return try body()
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
