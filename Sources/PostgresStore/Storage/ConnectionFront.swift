import DocumentStore
import GRDB
import SQLiteAccess

/// The virtual tables of one SQLite connection and their session.
///
/// The tables retain it, so it is released when the connection is closed.
final class ConnectionFront: RowAnnouncementReceiver {
  let session: FrontSession
  /// The tables of documents by name, and the collection of each. Tables of deleted collections remain; they have no
  /// rows.
  private var documents: [String: DocumentTable] = [:]

  init(_ storage: PostgresStorage) { session = FrontSession(storage) }

  func addCatalogTables(to db: Database) throws {
    for number in TableShape.small.indices {
      try db.addTable(TableShape.small[number].name, SmallTable(session, number: number, owner: self))
    }
    for shape in TableShape.large { try db.addTable(shape.name, RemoteTable(session, shape)) }
  }

  /// Adds the tables of the collections that exist in this transaction.
  func addDocumentTables(to db: Database) throws {
    for row in session.smallTables.rows(ofTable: 1) {
      guard let table = row.values[3].string else { continue }
      try addDocuments(table: table, collection: row.number, to: db)
    }
  }

  func addDocuments(table: String, collection: Int64, to db: Database) throws {
    guard documents[table] == nil else { return }
    let added = DocumentTable(session, table: table, collection: collection)
    try db.addTable(table, added)
    documents[table] = added
  }

  func willSave(_ ids: [String], table: String) throws { try documents[table]?.willSave(ids) }

  func willRead(_ rows: [Int64], of table: String) throws { documents[table]?.announce(rows) }
}
