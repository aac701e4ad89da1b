import DocumentStore
import GRDB
import QueryCompiler
import TextIndex
import TrigramIndex

/// The definition of a pattern index, as stored in the file, and its size.
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
  /// Whether the index was built with another version of this library and must be rebuilt before it is used.
  public let isOutdated: Bool

  init(_ index: StoredPatternIndex, _ db: GRDB.Database) throws {
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
}
