import CSQLite
public import GRDB

/// Joins the writes of a connection to the write-ahead log, which are short.
///
/// SQLite writes each page of the log with two calls. Joined, they are one call for 128 KiB. When a transaction is
/// committed, the log has been written completely, as without joining.
///
/// `Sources/CSQLite/JoinedLogWrites.c` explains why this is safe.
public enum JoinedLogWrites {
  /// Starts to join the writes. Must be called outside a transaction. Has no effect if the connection has no log.
  public static func begin(_ db: Database) { _ = csqlite_join_log_writes(db.sqliteConnection) }

  /// Starts to join the writes of a connection that has read the database.
  ///
  /// - Returns: whether they are joined.
  package static func begin(_ connection: DirectConnection) -> Bool { csqlite_join_log_writes(connection.handle) != 0 }

  /// Stops joining the writes.
  package static func end(_ connection: DirectConnection) { csqlite_stop_joining_log_writes(connection.handle) }
}
