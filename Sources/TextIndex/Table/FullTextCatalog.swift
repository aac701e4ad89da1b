public import GRDB
import SQLiteAccess
import TextAnalysis

extension IndexCatalog.Kind {
  /// Full-text indexes.
  public static let fullText = IndexCatalog.Kind("fullText")
}

/// Lists, creates, rebuilds, optimizes and drops the full-text indexes of a file.
public enum FullTextCatalog {
  /// Returns the indexes of a collection, sorted by name.
  ///
  /// - Parameters:
  ///   - collection: the id of the collection in the catalog.
  ///   - db: a connection.
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unsupported`` for a definition of an unknown format;
  ///   `DatabaseError`.
  public static func indexes(of collection: Int64, _ db: Database) throws -> [StoredFullTextIndex] {
    try IndexCatalog.entries(.fullText, of: collection, db).map { entry in
      let definition = try entry.decoded { try FullTextDefinition(json: $0) }
      return StoredFullTextIndex(
        id: entry.id, collection: collection, name: entry.name, definition: definition,
        groups: try definition.columnGroups(), analyzerVersion: entry.version)
    }
  }

  /// Creates an empty index and its tables. The caller fills it.
  ///
  /// - Parameters:
  ///   - name: the name, unique in the collection.
  ///   - collection: the id of the collection in the catalog.
  ///   - definition: the definition.
  ///   - db: the writing connection.
  /// - Throws: `AnalyzerError` if an analyzer cannot be created; `DatabaseError`.
  public static func create(
    _ name: String, on collection: Int64, _ definition: FullTextDefinition, _ db: Database
  ) throws -> StoredFullTextIndex {
    let groups = try definition.columnGroups()
    let id = try IndexCatalog.add(
      .fullText, name, on: collection, definition: definition.json, version: Analyzer.version, db)
    let index = StoredFullTextIndex(
      id: id, collection: collection, name: name, definition: definition, groups: groups,
      analyzerVersion: Analyzer.version)
    if let remote = RemoteIndexes.storage(of: db) {
      try remote.create(index, db)
    } else {
      try index.table.create(db)
      try LengthTable(of: index).create(db)
    }
    return index
  }

  /// Replaces the definition of an index with one that produces the same terms.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - definition: the new definition.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func redefine(_ index: StoredFullTextIndex, _ definition: FullTextDefinition, _ db: Database) throws {
    try IndexCatalog.redefine(index.id, definition.json, db)
  }

  /// Drops an index and its tables.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func drop(_ index: StoredFullTextIndex, _ db: Database) throws {
    if let remote = RemoteIndexes.storage(of: db) {
      try remote.drop(index, db)
    } else {
      try index.table.drop(db)
      try LengthTable(of: index).drop(db)
    }
    try IndexCatalog.remove(index.id, db)
  }

  /// Replaces an index with an empty one of the current analyzer version. The caller fills it.
  ///
  /// The table is dropped and recreated instead of emptied, so that no damage remains.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - abandoningTable: whether to leave the old table in the file unused, if it is too damaged to drop.
  ///   - db: the writing connection.
  /// - Returns: the empty index, which has a new id.
  /// - Throws: `AnalyzerError` if an analyzer cannot be created; `DatabaseError`.
  public static func reset(
    _ index: StoredFullTextIndex, abandoningTable: Bool = false, _ db: Database
  ) throws -> StoredFullTextIndex {
    if let remote = RemoteIndexes.storage(of: db) {
      try remote.drop(index, db)
    } else {
      if !abandoningTable { try index.table.drop(db) }
      try LengthTable(of: index).drop(db)
    }
    try IndexCatalog.remove(index.id, db)
    return try create(index.name, on: index.collection, index.definition, db)
  }

  /// Merges the segments of an index into one, which makes queries faster and the file smaller.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func optimize(_ index: StoredFullTextIndex, _ db: Database) throws {
    // Segments in another database are merged outside of transactions.
    guard RemoteIndexes.storage(of: db) == nil else { return }
    try index.appender.mergeAllSegments(thenInFTS5: index.table.optimize, db)
  }

  /// Returns the number of documents and the size in bytes of an index.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: a connection.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(p) in the number of its pages.
  public static func statistics(
    of index: StoredFullTextIndex, _ db: Database
  ) throws -> (documentCount: Int, size: Int) {
    if let remote = RemoteIndexes.storage(of: db) { return try remote.statistics(of: index, db) }
    let name = index.table.name
    let documents = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name)_docsize") ?? 0
    let size =
      try Int.fetchOne(
        db, sql: "SELECT sum(length(block)) FROM \(name)_data") ?? 0
    let sizes = try Int.fetchOne(db, sql: "SELECT sum(length(sz)) FROM \(name)_docsize") ?? 0
    let lengths = LengthTable(of: index)
    let lengthSize =
      try lengths.exists(db) ? try Int.fetchOne(db, sql: "SELECT sum(length(lengths)) FROM \(lengths.name)") ?? 0 : 0
    return (documents, size + sizes + lengthSize)
  }
}
