import GRDB
import SQLiteAccess

extension DoclistFormat {
  /// Checks that FTS5 keeps a table in a form that is read here.
  ///
  /// - Throws: ``FTS5FallbackRequired``, `DatabaseError`.
  static func requireKnown(table: String, _ db: Database) throws {
    var version: Int64?
    for row in try Row.fetchAll(db, sql: "SELECT k, v FROM \(table)_config") {
      let key: String = row.value("k", or: "")
      guard knownSettings.contains(key) else { throw FTS5FallbackRequired.unknownFormat }
      if key == "version" { version = row.value("v", or: 0) }
    }
    guard version == self.version else { throw FTS5FallbackRequired.unknownFormat }
  }

  /// A block of the data of a table; empty where it is not there.
  static func block(_ id: Int64, table: String, _ db: Database) throws -> [UInt8] {
    let statement = try SQLStatement(cached: "SELECT block FROM \(table)_data WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? Array(statement.row.blob(0)) : []
  }
}
