import Foundation
import SQLiteAccess

/// A connection that has no open transaction and reports the state of the file as a number that changes with every
/// commit.
///
/// If the number is the same before one transaction began and after another one has begun, both transactions see the
/// same state. The helpers of a ``ReaderPool`` use this to join a read that has already begun. See
/// <https://www.sqlite.org/pragma.html#pragma_data_version>.
///
/// `@unchecked Sendable`: the connection and the statement are used only under `lock`.
final class StateWatch: @unchecked Sendable {
  private let location: String
  private let file: OpenedFile?
  private let lock = NSLock()
  private var connection: DirectConnection?
  private var statement: SQLStatement?
  private var isClosed = false

  /// - Parameter file: the file; nil if the rows are in another database.
  init(location: String, _ file: OpenedFile? = nil) {
    self.location = location
    self.file = file
  }

  deinit { close() }

  /// Returns the number of the last committed state; nil if it cannot be read.
  ///
  /// - Complexity: A few microseconds, after the first call.
  func current() -> Int64? {
    lock.withLock {
      guard !isClosed, let statement = try? prepared() else { return nil }
      defer { statement.reset() }
      return (try? statement.step()) == true ? statement.row.int64(0) : nil
    }
  }

  /// Uses a connection to the file, without a transaction, instead of opening one when it is needed.
  ///
  /// While it is open, SQLite need not create the log and its index again for the next connection.
  ///
  /// - Returns: Whether the connection is used.
  func keep(_ open: DirectConnection) -> Bool {
    lock.withLock {
      guard connection == nil, !isClosed, (try? UntrustedSchemaSettings.apply(to: open)) != nil else { return false }
      connection = open
      return true
    }
  }

  func close() {
    lock.withLock {
      statement = nil
      connection?.close()
      (connection, isClosed) = (nil, true)
    }
  }

  private func prepared() throws -> SQLStatement {
    if let statement { return statement }
    let connection = try connection ?? opened()
    self.connection = connection
    let statement = try SQLStatement("PRAGMA data_version", on: connection)
    self.statement = statement
    return statement
  }

  private func opened() throws -> DirectConnection {
    let connection = try FileLocation.open(location, .reading)
    try file?.requireSame()
    return connection
  }
}
