public import GRDB
import SQLiteAccess
public import VersionVectors

/// A revision from another database that conflicts with a stored document.
public struct StoredConflict: Sendable {
  /// The row of the document.
  public let rowID: Int64
  /// The replication that received the revision. Each replication stores at most one conflict per document, because
  /// its peer sends only the current revision of the document.
  public let remote: String
  /// The vector of the revision.
  public let vector: VersionVector
  /// The JSON text of the revision; nil if it is a deletion.
  public let body: [UInt8]?

  /// Creates a conflict.
  public init(rowID: Int64, remote: String, vector: VersionVector, body: [UInt8]?) {
    self.rowID = rowID
    self.remote = remote
    self.vector = vector
    self.body = body
  }

  /// The revision as a document in the row of the stored one.
  ///
  /// - Parameter id: the id of the document.
  public func document(id: String) -> StoredDocument {
    StoredDocument(
      rowID: rowID, id: id, sequence: 0, revision: Int64(clamping: vector.current.time), isDeleted: body == nil,
      source: nil, body: body ?? [])
  }
}

/// Access to the conflicts of a collection.
public struct StoredConflicts {
  private let db: Database
  private let collection: CollectionRecord

  /// Creates an accessor.
  public init(_ collection: CollectionRecord, _ db: Database) {
    self.db = db
    self.collection = collection
  }

  /// Returns the conflicts of a document.
  public func conflicts(rowID: Int64) throws -> [StoredConflict] {
    let statement = try SQLStatement(
      cached: """
        SELECT remote, vector, body FROM concordance_conflict WHERE collection = ? AND document = ? ORDER BY remote
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    statement.bind(2, rowID)
    var conflicts: [StoredConflict] = []
    while try statement.step() {
      guard let vector = try? VersionVector(bytes: statement.row.bytes(1).map { Array($0) } ?? []) else {
        throw StoreError(
          .corrupt, "the version vector of a conflict in \(collection.name) is damaged; restore a copy of the file")
      }
      conflicts.append(
        StoredConflict(
          rowID: rowID, remote: statement.row.string(0), vector: vector,
          body: statement.row.bytes(2).map { Array($0) }))
    }
    return conflicts
  }

  /// Returns the ids of all documents with conflicts.
  public func documentIDs() throws -> [String] {
    let statement = try SQLStatement(
      cached: """
        SELECT DISTINCT d.id FROM concordance_conflict c JOIN \(collection.table) d ON d.rowid = c.document
        WHERE c.collection = ?
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    var ids: [String] = []
    while try statement.step() { ids.append(statement.row.string(0)) }
    return ids
  }

  /// Calls `body` with the text of every conflicting revision in the file that is not a deletion.
  static func forEachBody(_ db: Database, _ body: ([UInt8]) throws -> Void) throws {
    // A file in an earlier format that is opened for reading does not contain the table.
    guard try db.hasTable("concordance_conflict") else { return }
    let statement = try SQLStatement(sql: "SELECT body FROM concordance_conflict WHERE body IS NOT NULL", in: db)
    defer { statement.reset() }
    while try statement.step() { try body(statement.row.bytes(0).map { Array($0) } ?? []) }
  }
}

extension WriteTransaction {
  /// Stores a conflicting revision, replacing any earlier one from the same replication.
  public func storeConflict(_ conflict: StoredConflict, in collection: CollectionRecord) throws {
    try requireIntact()
    try state.observe(conflict.vector, db)
    let statement = try SQLStatement(
      cached: """
        INSERT OR REPLACE INTO concordance_conflict (collection, document, remote, vector, body) VALUES (?, ?, ?, ?, ?)
        """, in: db)
    statement.bind(1, collection.id)
    statement.bind(2, conflict.rowID)
    statement.bind(3, copying: Array(conflict.remote.utf8), asText: true)
    statement.bind(4, copying: conflict.vector.bytes, asText: false)
    if let body = conflict.body { statement.bind(5, copying: body, asText: true) } else { statement.bindNull(5) }
    try statement.run()
    statement.clear()
  }

  /// Removes the conflict that a replication recorded for a document, after it has been resolved.
  public func removeConflict(rowID: Int64, remote: String, in collection: CollectionRecord) throws {
    try requireIntact()
    let statement = try SQLStatement(
      cached: "DELETE FROM concordance_conflict WHERE collection = ? AND document = ? AND remote = ?", in: db)
    statement.bind(1, collection.id)
    statement.bind(2, rowID)
    try statement.withText(3, remote) { try statement.run() }
  }
}
