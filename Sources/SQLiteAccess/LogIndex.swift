import CSQLite
public import GRDB

/// The index of a write-ahead log, which all connections of all processes share in memory. It is valid until the
/// connection is closed.
///
/// See "The WAL-Index File Format" in <https://www.sqlite.org/walformat.html>.
public struct LogIndex {
  private let start: UnsafeRawPointer

  /// Returns the index of the log of a connection that has read a database in WAL mode; nil if it is not available.
  public init?(_ db: Database) {
    guard let start = csqlite_log_index(db.sqliteConnection) else { return nil }
    self.start = start
  }

  /// The number of committed frames in the log.
  public var frameCount: Int { Int(csqlite_log_frame_count(start)) }

  /// The number of frames that the database file contains, too.
  public var copiedCount: Int { Int(csqlite_log_copied_count(start)) }
}

/// Determines whether a transaction was committed since a certain time, without reading the file.
package struct LogState {
  private let index: UnsafeRawPointer
  private var header = csqlite_log_header()

  /// Returns nil if the file of a connection has no log. The connection must have read the file.
  package init?(_ connection: DirectConnection) throws {
    let statement = try SQLStatement("PRAGMA journal_mode", on: connection)
    guard try statement.step(), statement.row.string(0) == "wal" else { return nil }
    guard let index = csqlite_log_index(connection.handle) else { return nil }
    self.index = index
  }

  /// Notes the committed state.
  package mutating func note() { header = csqlite_copy_log_header(index) }

  /// Returns whether the committed state is the noted one.
  package func isCurrent() -> Bool {
    withUnsafePointer(to: header) { csqlite_has_log_header(index, $0) != 0 }
  }
}
