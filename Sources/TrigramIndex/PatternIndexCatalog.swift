public import GRDB
public import TextIndex

extension IndexCatalog.Kind {
  /// Pattern indexes.
  public static let pattern = IndexCatalog.Kind("pattern")
}

/// Lists, creates, rebuilds, optimizes and drops the pattern indexes of a file.
public enum PatternIndexCatalog {
  /// Returns the indexes of a collection, sorted by name.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [StoredPatternIndex] {
    try IndexCatalog.entries(.pattern, of: collection, db).map { entry in
      StoredPatternIndex(
        id: entry.id, collection: collection, name: entry.name,
        definition: try entry.decoded { try PatternIndexDefinition(json: $0) }, version: entry.version)
    }
  }

  /// Creates an empty index. The caller fills it.
  public static func create(
    _ name: String, on collection: Int64, _ definition: PatternIndexDefinition, _ db: Database
  ) throws -> StoredPatternIndex {
    let id = try IndexCatalog.add(
      .pattern, name, on: collection, definition: definition.json, version: StoredPatternIndex.currentVersion, db)
    let index = StoredPatternIndex(
      id: id, collection: collection, name: name, definition: definition,
      version: StoredPatternIndex.currentVersion)
    if let remote = db.remotePatternIndexes {
      try remote.createPatternIndex(id)
    } else {
      try index.table.create(db)
    }
    return index
  }

  /// Drops an index and its tables.
  public static func drop(_ index: StoredPatternIndex, _ db: Database) throws {
    try drop(index, abandoningTable: false, db)
    try IndexCatalog.remove(index.id, db)
  }

  /// Replaces an index with an empty one of the current version. The caller fills it.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - abandoningTable: whether to leave the old table in the file unused, if it is too damaged to drop.
  ///   - db: the writing connection.
  public static func reset(_ index: StoredPatternIndex, abandoningTable: Bool = false, _ db: Database) throws
    -> StoredPatternIndex
  {
    try drop(index, abandoningTable: abandoningTable, db)
    try IndexCatalog.remove(index.id, db)
    return try create(index.name, on: index.collection, index.definition, db)
  }

  /// Merges the segments of an index into one, which makes queries faster and the file smaller.
  public static func optimize(_ index: StoredPatternIndex, _ db: Database) throws {
    guard db.remotePatternIndexes == nil else { return }
    try index.table.appender.mergeAllSegments(thenInFTS5: index.table.optimize, db)
  }

  /// Merges segments after many changes, so that queries read fewer pages. After few changes, most calls take little
  /// time.
  ///
  /// If the index cannot be read, nothing is changed.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection, in a transaction without unwritten changes to the index.
  /// - Throws: `DatabaseError`.
  public static func mergeSegments(of index: StoredPatternIndex, _ db: Database) throws {
    guard db.remotePatternIndexes == nil, !index.isOutdated else { return }
    try skippingUnreadableIndex { try index.table.appender.mergeYoungestSegments(db) }
  }

  private static func drop(_ index: StoredPatternIndex, abandoningTable: Bool, _ db: Database) throws {
    if let remote = db.remotePatternIndexes {
      try remote.dropPatternIndex(index.id)
    } else {
      try index.table.drop(abandoningTable: abandoningTable, db)
    }
  }

  /// Returns the size of an index's tables in bytes.
  ///
  /// - Complexity: O(p) in the number of its pages.
  public static func size(of index: StoredPatternIndex, _ db: Database) throws -> Int {
    if let remote = db.remotePatternIndexes { return try remote.patternIndexSize(index.id) }
    let blocks = try Int.fetchOne(db, sql: "SELECT sum(length(block)) FROM \(index.tableName)_data") ?? 0
    // The number and document of each chunk are stored twice, in the table and in its index.
    return blocks + 12 * (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.table.chunkTable)") ?? 0)
  }
}

extension StoredPatternIndex {
  var table: PatternIndexTable { PatternIndexTable(name: tableName) }
}
