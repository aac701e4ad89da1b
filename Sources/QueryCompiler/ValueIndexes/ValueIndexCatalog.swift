public import DocumentStore
public import GRDB

/// The value indexes that a file knows, and their life: made, filled, rebuilt, dropped.
public enum ValueIndexCatalog {
  /// The indexes of a collection, by name.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [OrderedIndex] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, name, definition, analyzer_version FROM concordance_index
        WHERE collection = ? AND kind = 'value' ORDER BY name
        """, arguments: [collection]
    ).map { row in
      OrderedIndex(
        id: row["id"] ?? 0, collection: collection, name: row["name"] ?? "",
        definition: try ValueIndexDefinition(json: row["definition"] ?? ""), version: row["analyzer_version"] ?? "")
    }
  }

  /// The collections that have an index which other rules filled.
  public static func collectionsWithOutdatedIndexes(_ db: Database) throws -> Set<Int64> {
    try Int64.fetchSet(
      db, sql: "SELECT DISTINCT collection FROM concordance_index WHERE kind = 'value' AND analyzer_version <> ?",
      arguments: [OrderedIndex.currentVersion])
  }

  /// Makes an index and fills it with the documents that are there.
  ///
  /// - Throws: ``QueryCompilationError`` for a definition that cannot be written as SQL.
  /// - Complexity: O(n log n) in the number of documents.
  public static func create(
    _ name: String, on collection: CollectionRecord, _ definition: ValueIndexDefinition, _ db: Database
  ) throws -> OrderedIndex {
    try db.execute(
      sql: """
        INSERT INTO concordance_index (collection, name, kind, definition, analyzer_version)
        VALUES (?, ?, 'value', ?, ?)
        """, arguments: [collection.id, name, try definition.json, OrderedIndex.currentVersion])
    let index = OrderedIndex(
      id: db.lastInsertedRowID, collection: collection.id, name: name, definition: definition,
      version: OrderedIndex.currentVersion)
    let table = try ValueIndexTable(index, of: collection)
    try db.execute(sql: table.creation[0])
    try QueryCompilationError.namingLimits { try db.execute(sql: table.filling) }
    // Behind the rows: sorting them once is faster than finding a place for each.
    for statement in table.creation.dropFirst() { try db.execute(sql: statement) }
    return index
  }

  /// Drops an index with its table.
  public static func drop(_ index: OrderedIndex, _ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS \(index.tableName)")
    try db.execute(sql: "DELETE FROM concordance_index WHERE id = ?", arguments: [index.id])
  }

  /// Makes an index anew, by today's rules.
  public static func rebuild(
    _ index: OrderedIndex, of collection: CollectionRecord, _ db: Database
  ) throws -> OrderedIndex {
    try drop(index, db)
    return try create(index.name, on: collection, index.definition, db)
  }

  /// The rows of documents that stand in the index otherwise than they should, at most `limit`.
  ///
  /// - Complexity: O(n log n).
  public static func differences(
    of index: OrderedIndex, in collection: CollectionRecord, limit: Int, _ db: Database
  ) throws -> [Int64] {
    let table = try ValueIndexTable(index, of: collection)
    return try Int64.fetchAll(db, sql: "\(table.comparison) LIMIT \(limit)")
  }

  /// How much an index holds.
  public static func statistics(of index: OrderedIndex, _ db: Database) throws -> (documentCount: Int, size: Int) {
    let count = index.isOfDocuments ? "count(*)" : "count(DISTINCT doc)"
    let documents = try Int.fetchOne(db, sql: "SELECT \(count) FROM \(index.tableName)") ?? 0
    let names = index.columns.indices.flatMap { ["length(k\($0))", "length(e\($0))"] }
    // Every value stands twice, in the table and in its index, with the row of the document.
    let bytes =
      try Int.fetchOne(
        db, sql: "SELECT 2 * sum(10\(names.map { " + coalesce(\($0), 0)" }.joined())) FROM \(index.tableName)") ?? 0
    return (documents, bytes)
  }
}
