import DocumentStore
import GRDB
import SQLiteAccess

/// Writes the rows of a view.
struct ViewRowWriter {
  private let tables: ViewTables
  private let db: Database
  private let insertion: SQLStatement
  private let removal: SQLStatement

  init(_ tables: ViewTables, _ db: Database) throws {
    self.tables = tables
    self.db = db
    insertion = try SQLStatement(sql: "INSERT INTO \(tables.rows) VALUES (?1, ?2, ?3, ?4, ?5)", in: db)
    removal = try SQLStatement(
      sql: "DELETE FROM \(tables.rows) WHERE sort = ?1 AND id = ?2 AND number = ?3", in: db)
  }

  func insert(_ entry: ViewEntry) throws {
    insertion.bind(1, entry.position)
    insertion.bind(4, copying: entry.key, asText: true)
    switch entry.value {
    case .none: insertion.bindNull(5)
    case .document: insertion.bind(5, 1 as Int64)
    case .json(let text): insertion.bind(5, copying: text, asText: true)
    }
    try insertion.run()
  }

  func remove(_ entry: ViewEntry) throws {
    removal.bind(1, entry.position)
    try removal.run()
  }

  /// Returns the rows of a document in the order in which they were emitted.
  func entries(of id: String) throws -> [ViewEntry] {
    let statement = try SQLStatement(
      cached: "SELECT \(ViewEntry.columns) FROM \(tables.rows) WHERE id = ? ORDER BY number", in: db)
    return try statement.withText(1, id) {
      defer { statement.reset() }
      var entries: [ViewEntry] = []
      while try statement.step() { entries.append(ViewEntry(statement.row)) }
      return entries
    }
  }

  /// Returns the ids of documents that have rows but no longer exist.
  func idsOfRowsWithoutDocument(in collection: CollectionRecord) throws -> [String] {
    try ids("SELECT DISTINCT id FROM \(tables.rows) \(ViewRowWriter.withoutDocument(in: collection))")
  }

  /// Returns the ids of documents that have rows or an error but no longer exist.
  func idsWithoutDocument(in collection: CollectionRecord) throws -> [String] {
    // Both parts have the condition, because SQLite would otherwise store all ids before it evaluates the condition.
    let condition = ViewRowWriter.withoutDocument(in: collection)
    return try ids("SELECT id FROM \(tables.rows) \(condition) UNION SELECT id FROM \(tables.errors) \(condition)")
  }

  private static func withoutDocument(in collection: CollectionRecord) -> String {
    "WHERE id NOT IN (SELECT id FROM \(collection.table) WHERE deleted = 0)"
  }

  private func ids(_ sql: String) throws -> [String] {
    let statement = try SQLStatement(sql: sql, in: db)
    defer { statement.reset() }
    var ids: [String] = []
    while try statement.step() { ids.append(statement.row.string(0)) }
    return ids
  }

  /// The maximum stored length of an error message in bytes.
  private static let maximumMessageSize = 1000

  func addError(_ message: String, of id: String) throws {
    let statement = try SQLStatement(cached: "INSERT OR REPLACE INTO \(tables.errors) VALUES (?1, ?2)", in: db)
    // A truncated character becomes U+FFFD.
    let stored = String(decoding: message.utf8.prefix(ViewRowWriter.maximumMessageSize), as: UTF8.self)
    try statement.withText(1, id) { try statement.withText(2, stored) { try statement.run() } }
  }

  func removeError(of id: String) throws {
    let statement = try SQLStatement(cached: "DELETE FROM \(tables.errors) WHERE id = ?", in: db)
    try statement.withText(1, id) { try statement.run() }
  }
}
