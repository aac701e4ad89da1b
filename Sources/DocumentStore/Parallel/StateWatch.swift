import Foundation
import GRDB
import GRDBSQLite

/// A connection that never holds a transaction and reports which state the file is in, as a number that changes with every commit.
///
/// If the number is the same before a transaction began and after another one has begun, both see the same state: that is how
/// threads join a read that is under way. See ``ReaderPool`` and <https://www.sqlite.org/pragma.html#pragma_data_version>.
///
/// `@unchecked Sendable`: the connection and the statement are used only under `lock`.
final class StateWatch: @unchecked Sendable {
  private let location: String
  private let lock = NSLock()
  private var connection: OpaquePointer?
  private var statement: OpaquePointer?
  private var isClosed = false

  init(location: String) { self.location = location }

  deinit { close() }

  /// Returns the number of the last committed state; nil if it cannot be read.
  ///
  /// - Complexity: some microseconds, after the first call.
  func current() -> Int64? {
    lock.withLock {
      guard !isClosed, let statement = prepared() else { return nil }
      defer { sqlite3_reset(statement) }
      return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
    }
  }

  func close() {
    lock.withLock {
      sqlite3_finalize(statement)
      sqlite3_close_v2(connection)
      (statement, connection, isClosed) = (nil, nil, true)
    }
  }

  private func prepared() -> OpaquePointer? {
    if let statement { return statement }
    if connection == nil { connection = try? SQLiteHandle.open(location, SQLITE_OPEN_READONLY) }
    guard let connection else { return nil }
    sqlite3_prepare_v3(
      connection, "PRAGMA data_version", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return statement
  }
}
