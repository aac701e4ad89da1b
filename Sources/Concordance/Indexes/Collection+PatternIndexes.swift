import DocumentStore
import GRDB
import QueryCompiler
import TrigramIndex

/// How pattern indexes are made and found.
extension Collection {
  /// What the collection's pattern indexes are made of, by name.
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

  /// Makes a pattern index anew.
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

  func patternIndex(_ name: String, _ db: GRDB.Database) throws -> TrigramIndex.PatternIndex? {
    try engine.schema(of: record, db).patternIndexes.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func fill(
    _ index: TrigramIndex.PatternIndex, _ transaction: WriteTransaction, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    let writer = try PatternIndexWriter(index, transaction.db)
    let analysis = TrigramAnalysis(index)
    try IndexFilling(collection: record, transaction: transaction, progress: progress)
      .run({ try analysis.analyze($0) }, insert: writer.insert)
  }
}

/// What a pattern index is made of, as it stands in the file.
public struct PatternIndexDescription: Hashable, Sendable {
  /// The index's name.
  public let name: String
  /// The properties whose strings are in it.
  public let expressions: [String]
  /// What ``Collection/createIndex(withName:config:)`` makes the same index of.
  public let configuration: PatternIndexConfiguration
  /// The number of documents of the collection, each of which it covers.
  public let documentCount: Int
  /// Bytes of its table in the file.
  public let size: Int
  /// Whether it was made by another version and must be rebuilt before it is used.
  public let isOutdated: Bool

  init(_ index: TrigramIndex.PatternIndex, _ db: GRDB.Database) throws {
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
