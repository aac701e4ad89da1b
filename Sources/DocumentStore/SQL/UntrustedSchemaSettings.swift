import CSQLite
import GRDB
import GRDBSQLite

/// Connection settings for untrusted files: their schema cannot run code, and damage in their pages is detected when
/// they are read.
///
/// See "Defense Against The Dark Arts", <https://www.sqlite.org/security.html>.
enum UntrustedSchemaSettings {
  private static let options: [(option: Int32, isOn: Bool)] = [
    // No statement changes FTS5's tables or the schema directly. `DoclistBoundsWriter` is the only exception.
    (SQLITE_DBCONFIG_DEFENSIVE, true),
    (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    // Our files have neither. Foreign key cascades are not affected.
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (SQLITE_DBCONFIG_ENABLE_VIEW, false),
  ]

  /// Sets the options of a newly opened connection.
  ///
  /// - Throws: `DatabaseError` if this SQLite version does not know one of them.
  static func apply(to connection: OpaquePointer?) throws {
    for (option, isOn) in options {
      let code = csqlite_set_option(connection, option, isOn ? 1 : 0)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    let code = sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
