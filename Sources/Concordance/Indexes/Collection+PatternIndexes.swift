import DocumentStore
import GRDB
import QueryCompiler
import TrigramIndex

/// How pattern indexes are made and found.
extension Collection {
  /// Returns the definitions and sizes of the collection's pattern indexes, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func patternIndexDescriptions() throws -> [PatternIndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.schema(of: record, db).patternIndexes.map { try PatternIndexDescription($0, db) }
      }
    }
  }

  /// Creates a pattern index and fills it.
  func createPatternIndex(
    _ name: String, _ definition: PatternIndexDefinition, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    try engine.write { transaction in
      if let existing = try patternIndex(name, transaction.db), !existing.isOutdated,
        existing.definition == definition
      {
        return
      }
      _ = try drop(name, transaction)
      engine.didCreateIndex()
      let index = try PatternIndexCatalog.create(name, on: record.id, definition, transaction.db)
      try engine.catalogDidChange(in: transaction)
      try fill(index, transaction, progress)
    }
  }

  /// Rebuilds a pattern index.
  ///
  /// - Returns: whether there is one with this name.
  func rebuildPatternIndex(
    _ name: String, abandoningTable: Bool, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws -> Bool {
    guard try engine.store.read({ try patternIndex(name, $0) }) != nil else { return false }
    try engine.write { transaction in
      guard let old = try patternIndex(name, transaction.db) else { return }
      engine.didCreateIndex()
      let index = try PatternIndexCatalog.reset(old, abandoningTable: abandoningTable, transaction.db)
      try engine.catalogDidChange(in: transaction)
      try fill(index, transaction, progress)
    }
    return true
  }

  func patternIndex(_ name: String, _ db: GRDB.Database) throws -> TrigramIndex.StoredPatternIndex? {
    try engine.schema(of: record, db).patternIndexes.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func fill(
    _ index: TrigramIndex.StoredPatternIndex, _ transaction: WriteTransaction, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    let writer = try PatternIndexWriter(index, transaction.db)
    let analysis = TrigramAnalysis(index)
    try IndexPopulator(collection: record, transaction: transaction, progress: progress)
      .run({ try analysis.analyze($0) }, insert: writer.insert)
  }
}

/// The definition of a pattern index, as the file has it, and its size.
public struct PatternIndexDescription: Hashable, Sendable {
  /// The name of the index.
  public let name: String
  /// The indexed properties.
  public let expressions: [String]
  /// The configuration with which ``Collection/createIndex(withName:config:)`` creates the same index.
  public let configuration: PatternIndexConfiguration
  /// The number of documents of the collection; all of them are in the index.
  public let documentCount: Int
  /// The size of its table in the file, in bytes.
  public let size: Int
  /// Whether another version has built the index, so that it must be rebuilt before it is used.
  public let isOutdated: Bool

  init(_ index: TrigramIndex.StoredPatternIndex, _ db: GRDB.Database) throws {
    name = index.name
    expressions = index.definition.fields.map(\.name)
    configuration = PatternIndexConfiguration(index.definition)
    documentCount =
      try Int.fetchOne(
        db, sql: "SELECT document_count FROM concordance_collection WHERE id = ?", arguments: [index.collection]) ?? 0
    size = try PatternIndexCatalog.size(of: index, db)
    isOutdated = index.isOutdated
  }
}
