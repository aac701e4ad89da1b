public import DocumentStore
public import GRDB
import SQLiteAccess
public import TextIndex

extension IndexCatalog.Kind {
  /// Value, array and predictive indexes.
  public static let value = IndexCatalog.Kind("value")
}

/// Reads, creates, completes, rebuilds, verifies and drops the value indexes of a file.
public enum ValueIndexCatalog {
  /// Returns the indexes of a collection, sorted by name.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [StoredValueIndex] {
    try IndexCatalog.entries(.value, of: collection, db).map { entry in
      StoredValueIndex(
        id: entry.id, collection: collection, name: entry.name,
        definition: try entry.decoded { try ValueIndexDefinition(json: $0) }, version: entry.version)
    }
  }

  /// Creates an index and fills it with the existing documents.
  ///
  /// - Parameter leavingIncomplete: whether the index stays empty, to be completed later, if predictions cannot be
  ///   made.
  /// - Throws: ``QueryCompilationError`` for a definition that cannot be written as SQL, and for a prediction that
  ///   cannot be made.
  /// - Complexity: O(n log n) in the number of documents.
  public static func create(
    _ name: String, on collection: CollectionRecord, _ definition: ValueIndexDefinition,
    leavingIncomplete: Bool = false, _ db: Database
  ) throws -> StoredValueIndex {
    let version = definition.currentVersion.text
    let id = try IndexCatalog.add(
      .value, name, on: collection.id, definition: definition.json, version: version, db)
    let index = StoredValueIndex(
      id: id, collection: collection.id, name: name, definition: definition, version: version)
    let table = try ValueIndexTable(index, of: collection)
    if let owner = db.valueTableOwner {
      try owner.createValueTable(
        id: id, keyCount: index.columns.count, isOfDocuments: index.isOfDocuments,
        hasOutput: definition.prediction != nil, db)
    } else {
      try db.execute(sql: table.creation[0])
    }
    do {
      try run(table.filling, db)
    } catch is QueryCompilationError where leavingIncomplete && index.makesPredictions {
      try markIncomplete(index, db)
    }
    // The indexes of the table are created after the rows are inserted: sorting once is faster than inserting each row
    // in order.
    if db.valueTableOwner == nil { for statement in table.creation.dropFirst() { try db.execute(sql: statement) } }
    return index
  }

  /// Adds the missing documents to an index.
  ///
  /// - Throws: ``QueryCompilationError`` for a prediction that cannot be made; the index is then unchanged.
  /// - Complexity: O(n) in the number of documents, plus one prediction for each missing document.
  public static func complete(_ index: StoredValueIndex, of collection: CollectionRecord, _ db: Database) throws {
    try run(ValueIndexTable(index, of: collection).completion, db)
    try IndexCatalog.setVersion(index.id, index.currentVersion.text, db)
  }

  /// Records that an index lacks documents, so that no query uses it. An index that is outdated for another reason is
  /// not changed.
  public static func markIncomplete(_ index: StoredValueIndex, _ db: Database) throws {
    guard !index.isOutdated else { return }
    try IndexCatalog.setVersion(index.id, index.currentVersion.incomplete.text, db)
  }

  private static func run(_ sql: String, _ db: Database) throws {
    try QueryCompilationError.convertingRuntimeErrors {
      try QueryCompilationError.convertingLimitErrors { try db.execute(sql: sql) }
    }
  }

  /// Drops an index and its table.
  public static func drop(_ index: StoredValueIndex, _ db: Database) throws {
    if let owner = db.valueTableOwner {
      try owner.dropValueTable(id: index.id)
    } else {
      try db.execute(sql: "DROP TABLE IF EXISTS \(index.tableName)")
    }
    try IndexCatalog.remove(index.id, db)
  }

  /// Drops an index and creates it again under the current rules.
  public static func rebuild(
    _ index: StoredValueIndex, of collection: CollectionRecord, _ db: Database
  ) throws -> StoredValueIndex {
    try drop(index, db)
    return try create(index.name, on: collection, index.definition, db)
  }

  /// Returns the rowids of at most `limit` documents whose entries in the index are wrong or missing.
  ///
  /// - Complexity: O(n log n).
  public static func differences(
    of index: StoredValueIndex, in collection: CollectionRecord, limit: Int, _ db: Database
  ) throws -> [Int64] {
    let table = try ValueIndexTable(index, of: collection)
    return try Int64.fetchAll(db, sql: "\(table.comparison) LIMIT \(limit)")
  }

  /// Returns the number of documents in an index and its approximate size in bytes.
  public static func statistics(of index: StoredValueIndex, _ db: Database) throws -> (documentCount: Int, size: Int) {
    let count = index.isOfDocuments ? "count(*)" : "count(DISTINCT doc)"
    let documents = try Int.fetchOne(db, sql: "SELECT \(count) FROM \(index.tableName)") ?? 0
    let names = index.columns.indices.flatMap { ["length(k\($0))", "length(e\($0))"] }
    let output = index.definition.prediction == nil ? "" : " + coalesce(length(output), 0)"
    // Every value is stored twice, in the table and in its index, with the rowid of the document.
    let bytes =
      try Int.fetchOne(
        db,
        sql: "SELECT sum(2 * (10\(names.map { " + coalesce(\($0), 0)" }.joined()))\(output)) FROM \(index.tableName)")
      ?? 0
    return (documents, bytes)
  }
}
