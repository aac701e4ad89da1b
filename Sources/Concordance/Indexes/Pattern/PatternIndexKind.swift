import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex
import TrigramIndex

/// Pattern indexes: FTS5 tables of trigrams.
struct PatternIndexKind: IndexKind {
  let catalogName = IndexCatalog.Kind.pattern
  let configurations: [any StoredIndexConfiguration.Type] = [PatternIndexConfiguration.self]

  func prepare(_ db: GRDB.Database) throws { try TrigramTokenizer.register(db) }

  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredPatternIndex] {
    try PatternIndexCatalog.indexes(of: collection.id, db)
  }

  func mayBeOutdated(version: String, definition: String) -> Bool { version != StoredPatternIndex.currentVersion }

  func isStatement(_ sql: String, ofObject name: String) -> Bool {
    PatternIndexCatalog.isStatement(sql, ofObject: name)
  }
}

extension StoredPatternIndex: AnalyzedIndex {
  func add(to schema: inout CollectionSchema) { schema.patternIndexes.append(self) }

  func summary(_ db: GRDB.Database) throws -> IndexSummary {
    let description = try PatternIndexDescription(self, db)
    var summary = IndexSummary(
      name: name, kind: "pattern", documentCount: description.documentCount, size: description.size,
      isOutdated: isOutdated)
    summary.fields = description.expressions
    return summary
  }

  var exportedConfiguration: any StoredIndexConfiguration { PatternIndexConfiguration(definition) }

  func makeAnalysis() -> (JSONElement) throws -> DocumentTrigrams {
    let analysis = TrigramAnalysis(self)
    return { try analysis.analyze($0) }
  }

  func makeTermWriter(_ transaction: WriteTransaction) throws -> PatternIndexWriter {
    // Another writer of the same index may have unflushed entries in memory.
    try transaction.writeDeferred()
    let writer = try PatternIndexWriter(self, memory: transaction.indexMemory, transaction.db)
    transaction.add(
      DeferredWrites(index: id, .entries, write: { _ in try writer.flush() }, discard: { writer.discard() }))
    return writer
  }

  func makeVerification(_ db: GRDB.Database) throws -> PatternVerification { try PatternVerification(self, db) }

  func rebuild(in change: IndexChange, abandoningTable: Bool) throws {
    change.willCreateVirtualTable()
    let index = try PatternIndexCatalog.reset(self, abandoningTable: abandoningTable, change.db)
    try change.catalogDidChange()
    try index.fill(in: change)
  }

  func optimize(in change: IndexChange) throws {
    try change.transaction.writeDeferred()
    try PatternIndexCatalog.optimize(self, change.db)
  }

  /// Merges the youngest segments. Inside a batch, the merged pages would stay in memory, so a later call merges them.
  func finishChanges(in change: IndexChange) throws {
    guard !change.transaction.isInSavepoint else { return }
    try change.transaction.writeDeferred()
    try PatternIndexCatalog.mergeSegments(of: self, change.db)
  }

  func drop(_ db: GRDB.Database) throws { try PatternIndexCatalog.drop(self, db) }
}

extension PatternIndexWriter: TermWriter {}
extension PatternVerification: TermVerification {}

extension PatternIndexDefinition: StoredIndexDefinition {
  func adopt(_ existing: StoredPatternIndex, in change: IndexChange) throws -> Bool {
    !existing.isOutdated && existing.definition == self
  }

  func create(_ name: String, in change: IndexChange) throws {
    change.willCreateVirtualTable()
    let index = try PatternIndexCatalog.create(name, on: change.record.id, self, change.db)
    try change.catalogDidChange()
    try index.fill(in: change)
  }
}

extension PatternIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "patterns"
}

extension DatabaseEngine {
  /// Returns the pattern indexes of a collection as currently stored in the file.
  func patternIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredPatternIndex] {
    try indexes(PatternIndexKind(), of: collection, db)
  }
}
