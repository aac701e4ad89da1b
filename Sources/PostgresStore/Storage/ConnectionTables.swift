import DocumentStore
import GRDB
import PostgresAccess
import SQLiteAccess

/// The virtual tables of one SQLite connection and their session.
///
/// The tables retain it, so it is released when the connection is closed.
final class ConnectionTables: RowAnnouncementReceiver {
  let session: ConnectionSession
  /// The tables of documents by name, and the collection of each. Tables of deleted collections remain; they have no
  /// rows.
  private var documents: [String: DocumentTable] = [:]

  private var valueTables: Set<ValueTable.Layout> = []

  init(_ storage: PostgresStorage) { session = ConnectionSession(storage) }

  func addCatalogTables(to db: Database) throws {
    for number in TableShape.small.indices {
      try db.addTable(TableShape.small[number].name, SmallTable(session, number: number, owner: self))
    }
    for shape in TableShape.large { try db.addTable(shape.name, RemoteTable(session, shape)) }
  }

  /// Adds the tables of the collections that exist in this transaction.
  func addDocumentTables(to db: Database) throws {
    for (collection, table) in session.smallTables.documentTables {
      try addDocuments(table: table, collection: collection, to: db)
    }
  }

  /// Adds the tables of the value indexes that exist in this transaction.
  func addValueTables(to db: Database) throws {
    for layout in session.smallTables.valueTables { try addValueTable(layout, to: db) }
  }

  func addValueTable(_ layout: ValueTable.Layout, to db: Database) throws {
    guard valueTables.insert(layout).inserted else { return }
    try db.addTable(layout.shape.name, ValueTable(session, layout))
  }

  func addDocuments(table: String, collection: Int64, to db: Database) throws {
    guard documents[table] == nil else { return }
    let added = DocumentTable(session, table: table, collection: collection)
    try db.addTable(table, added)
    documents[table] = added
  }

  func willSave(_ ids: [String], table: String) throws { try documents[table]?.willSave(ids) }

  func willRead(_ rows: [Int64], of table: String?) throws {
    guard let table else { return session.documents.announce(rows, of: nil) }
    documents[table]?.announce(rows)
  }
}

extension ConnectionTables: ValueTableOwner {
  func createValueTable(id: Int64, keyCount: Int, isOfDocuments: Bool, hasOutput: Bool, _ db: Database) throws {
    guard keyCount <= ValueTable.Layout.maximumKeyCount else {
      throw StoreError(
        .tooLarge,
        "\(session.storage.name): a value index on PostgreSQL has at most \(ValueTable.Layout.maximumKeyCount) "
          + "expressions, not \(keyCount); create several indexes")
    }
    let layout = ValueTable.Layout(
      id: id, keyCount: keyCount, isOfDocuments: isOfDocuments, hasOutput: hasOutput, isOnCitus: session.nodes.isOnCitus
    )
    for node in session.nodes.servers {
      for statement in layout.creation(node: node) { try session.enqueue(PostgresStatement(statement), on: node) }
    }
    try session.enqueue(
      PostgresStatement(
        "INSERT INTO cx_value_table (id, key_count, is_of_documents, has_output) VALUES ($1, $2, $3, $4)",
        [.int64(id), .int64(Int64(keyCount)), .bool(isOfDocuments), .bool(hasOutput)]), on: 0)
    try addValueTable(layout, to: db)
  }

  func dropValueTable(id: Int64) throws { try DroppedValueTables.add(id, session) }
}
