public import GRDB
import SQLiteAccess

/// Reads the documents of a collection.
public struct DocumentReader {
  let db: Database
  let collection: CollectionRecord
  private var table: String { collection.table }

  /// Creates a reader on a connection.
  public init(_ collection: CollectionRecord, _ db: Database) {
    self.db = db
    self.collection = collection
  }

  /// Returns the largest row of the collection, including tombstones; 0 if there are no rows.
  ///
  /// - Complexity: O(log n).
  public func lastRow() throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(table)") ?? 0 }

  /// Returns the document with this id, or nil. Tombstones and expired documents are returned only with
  /// `includingDeleted`.
  ///
  /// - Complexity: O(log n).
  public func document(id: String, includingDeleted: Bool = false) throws -> StoredDocument? {
    let statement = try SQLStatement(
      cached: includingDeleted ? collection.selectionByID : collection.liveSelectionByID, in: db)
    return try statement.withText(1, id) {
      defer { statement.reset() }
      return try statement.step() ? StoredDocument(statement.row) : nil
    }
  }

  /// Returns the document in this row, or nil.
  public func document(rowID: Int64) throws -> StoredDocument? {
    let statement = try SQLStatement(cached: collection.liveSelectionByRow, in: db)
    defer { statement.reset() }
    statement.bind(1, rowID)
    return try statement.step() ? StoredDocument(statement.row) : nil
  }

  /// Returns whether this row has a document, not a tombstone or an expired document.
  func contains(rowID: Int64) throws -> Bool {
    let statement = try SQLStatement(
      cached: "SELECT 1 FROM \(table) WHERE rowid = ? AND \(StoredDocument.isLive)", in: db)
    defer { statement.reset() }
    statement.bind(1, rowID)
    return try statement.step()
  }

  /// Calls `body` with the document in each of the given rows and the index of that row in `rows`. Rows without a
  /// document are skipped.
  public func forEach(
    inRows rows: [Int64], _ body: (_ number: Int, StoredDocument) throws -> Void
  ) throws {
    let statement = try SQLStatement(cached: collection.liveSelectionByRow, in: db)
    try db.announcementReceiver?.willRead(rows, of: collection.tableName)
    for number in rows.indices {
      statement.bind(1, rows[number])
      // Reset before `body`, which may run the same statement.
      let document = try { () -> StoredDocument? in
        defer { statement.reset() }
        return try statement.step() ? StoredDocument(statement.row) : nil
      }()
      if let document { try body(number, document) }
    }
  }

  /// Calls `body` with every document in row order, one at a time. Documents that `body` itself adds are not visited.
  ///
  /// - Parameters:
  ///   - includingDeleted: whether to include tombstones.
  ///   - includingExpired: whether to include documents that have expired but are not purged yet. Indexes contain them,
  ///     because the purge removes their entries, and because they can become visible again without a save.
  ///   - body: returns whether to continue.
  public func forEach(
    includingDeleted: Bool = false, includingExpired: Bool = false, _ body: (StoredDocument) throws -> Bool
  ) throws {
    let deleted = includingDeleted ? "" : "AND deleted = 0"
    let expired = includingExpired ? "" : "AND \(StoredDocument.isUnexpired)"
    let statement = try SQLStatement(
      sql: """
        SELECT \(StoredDocument.columns) FROM \(table)
        WHERE rowid <= (SELECT max(rowid) FROM \(table)) \(deleted) \(expired) ORDER BY rowid
        """, in: db)
    defer { statement.reset() }
    while try statement.step() {
      guard try body(StoredDocument(statement.row)) else { return }
    }
  }

  /// Returns the first and the last row id, including tombstones; nil if there are no rows.
  ///
  /// - Complexity: O(log n).
  func rowBounds() throws -> ClosedRange<Int64>? {
    let statement = try SQLStatement(
      cached: "SELECT (SELECT min(rowid) FROM \(table)), (SELECT max(rowid) FROM \(table))", in: db)
    defer { statement.reset() }
    guard try statement.step(), !statement.row.isNull(0) else { return nil }
    return statement.row.int64(0)...statement.row.int64(1)
  }

  /// Calls `body` with every change after a sequence number, oldest first, including tombstones.
  func forEachChange(since sequence: Int64, _ body: (StoredDocument) throws -> Bool) throws {
    let statement = try SQLStatement(
      sql: "SELECT \(StoredDocument.columns) FROM \(table) WHERE sequence > ? ORDER BY sequence", in: db)
    defer { statement.reset() }
    statement.bind(1, sequence)
    while try statement.step() {
      guard try body(StoredDocument(statement.row)) else { return }
    }
  }
}
