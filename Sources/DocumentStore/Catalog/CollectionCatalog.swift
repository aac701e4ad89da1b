public import GRDB
import SQLiteAccess

/// Reads the collections that a file contains.
public enum CollectionCatalog {
  /// Returns every collection, ordered by scope and name.
  public static func all(_ db: Database) throws -> [CollectionRecord] {
    let statement = try SQLStatement(
      cached: "SELECT id, scope, name, table_name FROM concordance_collection ORDER BY scope, name", in: db)
    defer { statement.reset() }
    var records: [CollectionRecord] = []
    while try statement.step() { records.append(record(statement.row)) }
    return records
  }

  /// Returns the collection with this name, or nil.
  public static func find(_ name: CollectionName, _ db: Database) throws -> CollectionRecord? {
    let statement = try SQLStatement(
      cached: "SELECT id, scope, name, table_name FROM concordance_collection WHERE scope = ? AND name = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, copying: Array(name.scope.utf8), asText: true)
    statement.bind(2, copying: Array(name.name.utf8), asText: true)
    return try statement.step() ? record(statement.row) : nil
  }

  /// Returns the number of documents in a collection, not counting tombstones.
  ///
  /// - Complexity: O(1).
  public static func documentCount(_ collection: CollectionRecord, _ db: Database) throws -> Int64 {
    guard let count = try documentCount(collection.id, db) else { throw missing(collection) }
    return count
  }

  /// Returns the number of documents in the collection with this row id in the catalog, or nil if it does not exist.
  ///
  /// - Complexity: O(1).
  public static func documentCount(_ collection: Int64, _ db: Database) throws -> Int64? {
    let statement = try SQLStatement(
      cached: "SELECT document_count FROM concordance_collection WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, collection)
    return try statement.step() ? statement.row.int64(0) : nil
  }

  /// Returns the sequence number of the last change to a collection, or 0 if there was none.
  public static func lastSequence(_ collection: CollectionRecord, _ db: Database) throws -> Int64 {
    guard
      let sequence = try Int64.fetchOne(
        db, sql: "SELECT last_sequence FROM concordance_collection WHERE id = ?", arguments: [collection.id])
    else { throw missing(collection) }
    return sequence
  }

  /// Returns a number that increases whenever any process changes collections or indexes. Cached catalog data is valid
  /// as long as the number is unchanged.
  public static func version(_ db: Database) throws -> Int64 {
    try FileFormat.number("catalog_version", db)
  }

  /// Checks that a collection still exists. It may have been deleted, or the batch that created it may have been rolled
  /// back.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/noSuchCollection`` if it does not exist.
  public static func require(_ collection: CollectionRecord, _ db: Database) throws {
    let statement = try SQLStatement(
      cached: "SELECT table_name FROM concordance_collection WHERE id = ? AND scope = ? AND name = ?", in: db)
    defer { statement.reset() }
    try statement.withText(2, collection.name.scope) {
      try statement.withText(3, collection.name.name) {
        statement.bind(1, collection.id)
        guard try statement.step(), statement.row.string(0) == collection.tableName else { throw missing(collection) }
      }
    }
  }

  /// Returns false if no earlier collection, which was deleted, had the name of this one.
  ///
  /// Ids of collections increase and are not reused. If all smaller ids exist, no collection had been deleted when this
  /// one was created. On PostgreSQL, ids come from a sequence, so a creation that was rolled back also leaves out an
  /// id, and the result is true for all later collections.
  ///
  /// - Complexity: O(n) in the number of collections.
  public static func mayReplaceAnother(_ collection: CollectionRecord, _ db: Database) throws -> Bool {
    let earlier = try Int64.fetchOne(
      db, sql: "SELECT count(*) FROM concordance_collection WHERE id < ?", arguments: [collection.id])
    return earlier != collection.id - 1
  }

  static func missing(_ collection: CollectionRecord) -> StoreError {
    StoreError(.noSuchCollection, "the collection \(collection.name) was deleted")
  }

  private static func record(_ row: StatementRow) -> CollectionRecord {
    CollectionRecord(
      id: row.int64(0), name: CollectionName(validScope: row.string(1), validName: row.string(2)),
      tableName: row.string(3))
  }
}

extension WriteTransaction {
  /// Notifies every process that the catalog has changed. Code that changes collections or indexes must call it.
  public func catalogDidChange() throws {
    // A damaged counter restarts at a random number, which differs from the number that other processes have cached.
    try db.execute(
      sql: """
        UPDATE concordance_meta SET value =
          CASE WHEN typeof(value) = 'integer' AND value BETWEEN 0 AND ?1 THEN value + 1 ELSE abs(random() % ?1) END
        WHERE key = 'catalog_version'
        """, arguments: [CounterLimits.counts.upperBound])
  }

  /// Returns the collection with this name, creating it if it does not exist.
  public func createCollection(_ name: CollectionName) throws -> CollectionRecord {
    if let existing = try CollectionCatalog.find(name, db) { return existing }
    if let remote { return try createCollection(name, in: remote) }
    let tableName = try freeTableName(for: name)
    try db.execute(
      sql: "INSERT INTO concordance_collection (scope, name, table_name) VALUES (?, ?, ?)",
      arguments: [name.scope, name.name, tableName])
    let id = db.lastInsertedRowID
    for statement in CollectionTable.statements(tableName) { try db.execute(sql: statement) }
    try catalogDidChange()
    return CollectionRecord(id: id, name: name, tableName: tableName)
  }

  private func createCollection(_ name: CollectionName, in remote: any RemoteStorage) throws -> CollectionRecord {
    let id = try remote.nextCollectionID(db)
    let tableName = try remote.createTable(for: name, id: id, db)
    try db.execute(
      sql: """
        INSERT INTO concordance_collection (id, scope, name, table_name, last_sequence, document_count)
        VALUES (?, ?, ?, ?, 0, 0)
        """, arguments: [id, name.scope, name.name, tableName])
    try catalogDidChange()
    return CollectionRecord(id: id, name: name, tableName: tableName)
  }

  /// Recounts the documents of a collection. Raises its last sequence if a document or purge has a higher one, and the
  /// file's last revision if a document has a higher one. Replaces counters that are outside their valid range. Must be
  /// called after another program has changed the file.
  public func recount(_ collection: CollectionRecord) throws {
    state.counters.collections[collection.id] = nil
    state.counters.lastRevision = nil
    let (counts, revisions) = (CounterLimits.counts.upperBound, CounterLimits.revisions.upperBound)
    try db.execute(
      sql: """
        UPDATE concordance_collection SET
          document_count = (SELECT count(*) FROM \(collection.table) WHERE deleted = 0),
          last_sequence = max(
            CASE WHEN typeof(last_sequence) = 'integer' AND last_sequence BETWEEN 0 AND ?2 THEN last_sequence ELSE 0 END,
            (SELECT coalesce(max(sequence), 0) FROM \(collection.table) WHERE sequence <= ?2),
            (SELECT coalesce(max(sequence), 0) FROM concordance_purge WHERE collection = ?1 AND sequence <= ?2))
        WHERE id = ?1
        """, arguments: [collection.id, counts])
    guard remote == nil else {
      // SQLite has no UPSERT for virtual tables; the row always exists.
      return try db.execute(
        sql: """
          UPDATE concordance_meta SET value =
            max(value, (SELECT coalesce(max(revision), 0) FROM \(collection.table) WHERE revision <= ?1))
          WHERE key = 'last_revision'
          """, arguments: [revisions])
    }
    try db.execute(
      sql: """
        INSERT INTO concordance_meta (key, value)
        SELECT 'last_revision', coalesce(max(revision), 0) FROM \(collection.table) WHERE revision <= ?1
        ON CONFLICT (key) DO UPDATE SET value = max(
          CASE WHEN typeof(value) = 'integer' AND value BETWEEN 0 AND ?1 THEN value ELSE 0 END, excluded.value)
        """, arguments: [revisions])
  }

  /// Deletes a collection with its documents and its rows in the catalog. The caller must drop its indexes first.
  public func deleteCollection(_ collection: CollectionRecord) throws {
    try db.execute(sql: "DELETE FROM concordance_collection WHERE id = ?", arguments: [collection.id])
    if let remote {
      try remote.removeDocuments(of: collection, db)
    } else {
      try db.execute(sql: "DROP TABLE \(collection.table)")
    }
    state.counters.collections[collection.id] = nil
    try catalogDidChange()
  }

  /// Returns the sequence number of the last change to a collection, including changes in this transaction.
  public func lastSequence(of collection: CollectionRecord) throws -> Int64 {
    try state.collection(collection.id, db).lastSequence
  }

  /// Drops the tables of indexes that the catalog does not list. A table that is too damaged for SQLite to drop remains
  /// in the file, and verification reports it.
  ///
  /// - Parameter isIndexObject: returns whether a schema object belongs to an index.
  public func dropUnlistedIndexes(isIndexObject: (SchemaObject) -> Bool) throws {
    func drop(_ shouldDrop: (SchemaObject) -> Bool) throws {
      let objects = try FileSchema(db, isIndexObject: isIndexObject).unlistedIndexObjects
      for table in objects.filter(shouldDrop) {
        do {
          try state.inSavepoint(db) { try db.execute(sql: "DROP TABLE \(table.name.sqlIdentifier)") }
        } catch let error as DatabaseError where error.isCausedByFile {
          continue
        }
      }
    }
    // SQLite drops shadow tables with their virtual table and does not allow dropping them separately.
    try drop(\.isVirtual)
    try drop { $0.type == "table" }
  }

  private func freeTableName(for name: CollectionName) throws -> String {
    var candidate = name.description
    var number = 1
    while try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE)",
      arguments: [candidate]) == true
    {
      number += 1
      candidate = "\(name)~\(number)"
    }
    return candidate
  }
}
