import CSQLite
public import GRDB
import GRDBSQLite

/// Settings of a connection for files of unknown origin: their schema cannot run code, and damaged pages are detected
/// when they are read.
///
/// See "Defense Against The Dark Arts", <https://www.sqlite.org/security.html>.
public enum UntrustedSchemaSettings {
  private static let options: [(option: Int32, isOn: Bool)] = [
    // Prevents statements from changing FTS5's tables or the schema directly; see `withoutDefense` for the exception.
    (SQLITE_DBCONFIG_DEFENSIVE, true),
    (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    // The library's files contain no triggers or views. Foreign key cascades are not affected.
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (SQLITE_DBCONFIG_ENABLE_VIEW, false),
  ]

  /// Applies the settings to a connection that was just opened.
  ///
  /// - Throws: `DatabaseError` if this build of SQLite does not support one of them.
  public static func apply(to db: Database) throws { try apply(toHandle: db.sqliteConnection) }

  /// Applies the settings to a connection that was just opened.
  ///
  /// - Throws: `DatabaseError` if this build of SQLite does not support one of them.
  public static func apply(to connection: DirectConnection) throws { try apply(toHandle: connection.handle) }

  private static func apply(toHandle connection: OpaquePointer?) throws {
    for (option, isOn) in options {
      try DatabaseError.check(csqlite_set_option(connection, option, isOn ? 1 : 0), connection)
    }
    try DatabaseError.check(
      sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nil, nil, nil), connection)
  }

  /// Calls `body`, which may write FTS5's shadow tables. Outside this function, connections are defensive, so that a
  /// statement cannot damage these tables by mistake.
  public static func withoutDefense<T>(_ db: Database, _ body: () throws -> T) throws -> T {
    let connection = db.sqliteConnection
    let wasOn = csqlite_option(connection, SQLITE_DBCONFIG_DEFENSIVE)
    try DatabaseError.check(csqlite_set_option(connection, SQLITE_DBCONFIG_DEFENSIVE, 0), connection)
    defer { _ = csqlite_set_option(connection, SQLITE_DBCONFIG_DEFENSIVE, wasOn) }
    return try body()
  }
}
