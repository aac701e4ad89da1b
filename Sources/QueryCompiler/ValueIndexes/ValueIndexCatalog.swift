public import DocumentStore
public import GRDB
import TextIndex

/// The value indexes that a file knows, and their life: made, filled, rebuilt, dropped.
public enum ValueIndexCatalog {
  /// The indexes of a collection, by name.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [OrderedIndex] {
    try IndexCatalog.entries(.value, of: collection, db).map { entry in
      OrderedIndex(
        id: entry.id, collection: collection, name: entry.name,
        definition: try ValueIndexDefinition(json: entry.definition), version: entry.version)
    }
  }

  /// Makes an index and fills it with the documents that are there.
  ///
  /// - Throws: ``QueryCompilationError`` for a definition that cannot be written as SQL.
  /// - Complexity: O(n log n) in the number of documents.
  public static func create(
    _ name: String, on collection: CollectionRecord, _ definition: ValueIndexDefinition, _ db: Database
  ) throws -> OrderedIndex {
    let id = try IndexCatalog.add(
      .value, name, on: collection.id, definition: definition.json, version: OrderedIndex.currentVersion, db)
    let index = OrderedIndex(
      id: id, collection: collection.id, name: name, definition: definition,
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
    try IndexCatalog.remove(index.id, db)
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
