public import GRDB

/// The pattern indexes that a file knows, and their life: made, rebuilt, optimized, dropped.
public enum PatternIndexCatalog {
  /// The indexes of a collection, by name.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [PatternIndex] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, name, definition, analyzer_version FROM concordance_index
        WHERE collection = ? AND kind = 'pattern' ORDER BY name
        """, arguments: [collection]
    ).map { row in
      PatternIndex(
        id: row.value("id", or: 0), collection: collection, name: row.value("name", or: ""),
        definition: try PatternIndexDefinition(json: row.value("definition", or: "")),
        version: row.value("analyzer_version", or: ""))
    }
  }

  /// The collections that have an index which other rules filled.
  public static func collectionsWithOutdatedIndexes(_ db: Database) throws -> Set<Int64> {
    try Int64.fetchSet(
      db, sql: "SELECT DISTINCT collection FROM concordance_index WHERE kind = 'pattern' AND analyzer_version <> ?",
      arguments: [PatternIndex.currentVersion])
  }

  /// Makes an empty index. The caller fills it.
  public static func create(
    _ name: String, on collection: Int64, _ definition: PatternIndexDefinition, _ db: Database
  ) throws -> PatternIndex {
    try db.execute(
      sql: """
        INSERT INTO concordance_index (collection, name, kind, definition, analyzer_version)
        VALUES (?, ?, 'pattern', ?, ?)
        """, arguments: [collection, name, try definition.json, PatternIndex.currentVersion])
    let index = PatternIndex(
      id: db.lastInsertedRowID, collection: collection, name: name, definition: definition,
      version: PatternIndex.currentVersion)
    try index.table.create(db)
    return index
  }

  /// Drops an index with its table.
  public static func drop(_ index: PatternIndex, _ db: Database) throws {
    try index.table.drop(db)
    try db.execute(sql: "DELETE FROM concordance_index WHERE id = ?", arguments: [index.id])
  }

  /// Makes an index empty again, of today's rules. The caller fills it.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - abandoningTable: whether the old table stays behind unused, for one so damaged that SQLite cannot drop it.
  ///   - db: the writing connection.
  public static func reset(_ index: PatternIndex, abandoningTable: Bool = false, _ db: Database) throws -> PatternIndex
  {
    try index.table.drop(abandoningTable: abandoningTable, db)
    try db.execute(sql: "DELETE FROM concordance_index WHERE id = ?", arguments: [index.id])
    return try create(index.name, on: index.collection, index.definition, db)
  }

  /// Merges the segments of an index into one: queries get faster, the file smaller.
  public static func optimize(_ index: PatternIndex, _ db: Database) throws { try index.table.optimize(db) }

  /// Bytes of an index's table in the file.
  ///
  /// - Complexity: O(p) in the number of its pages.
  public static func size(of index: PatternIndex, _ db: Database) throws -> Int {
    let blocks = try Int.fetchOne(db, sql: "SELECT sum(length(block)) FROM \(index.tableName)_data") ?? 0
    // Of each part, its number and its document stand twice, in the table and in its index.
    return blocks + 12 * (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.table.parts)") ?? 0)
  }
}

extension PatternIndex {
  var table: PatternIndexTable { PatternIndexTable(name: tableName) }
}
