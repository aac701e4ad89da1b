import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex

/// Full-text indexes: FTS5 tables of terms.
struct FullTextIndexKind: IndexKind {
  let catalogName = IndexCatalog.Kind.fullText
  let configurations: [any StoredIndexConfiguration.Type] = [FullTextIndexConfiguration.self]

  func prepare(_ db: GRDB.Database) throws { try TermStreamTokenizer.register(db) }

  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredFullTextIndex] {
    try FullTextCatalog.indexes(of: collection.id, db)
  }

  func mayBeOutdated(version: String, definition: String) -> Bool { version != Analyzer.version }

  func isStatement(_ sql: String, ofObject name: String) -> Bool {
    FullTextCatalog.isStatement(sql, ofObject: name)
  }
}

extension StoredFullTextIndex: AnalyzedIndex {
  func add(to schema: inout CollectionSchema) { schema.fullTextIndexes.append(self) }

  func summary(_ db: GRDB.Database) throws -> IndexSummary {
    let statistics = try FullTextCatalog.statistics(of: self, db)
    var summary = IndexSummary(
      name: name, kind: "full-text", documentCount: statistics.documentCount, size: statistics.size,
      isOutdated: isOutdated)
    let configuration = FullTextIndexConfiguration(definition)
    summary.fields = configuration.expressions
    summary.analyzer = configuration.analyzer
    summary.fieldAnalyzers = configuration.fieldAnalyzers
    summary.where = configuration.where
    return summary
  }

  var exportedConfiguration: any StoredIndexConfiguration { FullTextIndexConfiguration(definition) }

  func makeAnalysis() -> (JSONElement) throws -> AnalyzedDocument {
    let analysis = DocumentAnalysis(self)
    return { try analysis.analyze($0) }
  }

  func makePreparation(memory: Int, _ db: GRDB.Database) -> ((_ firstRow: Int64) -> any PreparedEntries)? {
    preparation(memory: memory, db)
  }

  func makeTermWriter(_ transaction: WriteTransaction) throws -> FullTextWriter {
    // Another writer of the same index may have unflushed entries in memory.
    try transaction.writeDeferred()
    let writer = try FullTextWriter(self, memory: transaction.indexMemory, transaction.db)
    transaction.add(
      DeferredWrites(index: id, .entries, write: { try writer.flush(syncing: $0) }, discard: { writer.discard() }))
    return writer
  }

  func makeVerification(_ db: GRDB.Database) throws -> FullTextVerification { FullTextVerification(self, db) }

  func rebuild(in change: IndexChange, abandoningTable: Bool) throws {
    change.willCreateVirtualTable()
    let index = try FullTextCatalog.reset(self, abandoningTable: abandoningTable, change.db)
    try change.catalogDidChange()
    try index.fill(in: change)
  }

  func optimize(in change: IndexChange) throws {
    try FullTextCatalog.optimize(self, change.db)
    try finishChanges(in: change)
  }

  /// Writes the leaf score bounds that let searches for common words skip leaves, and the word lists that let
  /// corrections skip doclists.
  func finishChanges(in change: IndexChange) throws {
    try change.transaction.writeDeferred()
    try FullTextCatalog.writeBounds(of: self, change.db)
    try FullTextCatalog.writeWordLists(of: self, change.db)
  }

  func drop(_ db: GRDB.Database) throws { try FullTextCatalog.drop(self, db) }
}

extension FullTextWriter: TermWriter {
  func insert(_ known: IndexedTerms, rowID: Int64, predictedRow: Int64?) throws -> Bool {
    if rowID == predictedRow, let prepared = known.prepared as? PreparedPostings<AnalyzedDocument>,
      try insert(rowID: rowID, from: prepared)
    {
      return true
    }
    guard let document = known.terms as? AnalyzedDocument else { return false }
    try insert(document, rowID: rowID)
    return true
  }
}

extension PreparedPostings: PreparedEntries where Document == AnalyzedDocument {
  func append(_ terms: any Sendable) {
    if let document = terms as? AnalyzedDocument { append(document) }
  }
}
extension FullTextVerification: TermVerification {}

extension FullTextDefinition: StoredIndexDefinition {
  func check() throws { try checkAnalyzers() }

  /// Adopts an index that differs only in stop words, synonyms or ranking parameters, which affect only queries.
  func adopt(_ existing: StoredFullTextIndex, in change: IndexChange) throws -> Bool {
    guard !existing.isOutdated, existing.definition.makesSameTerms(as: self) else { return false }
    guard existing.definition != self else { return true }
    try FullTextCatalog.redefine(existing, self, change.db)
    try change.catalogDidChange()
    // The leaf score bounds depend on the ranking parameters.
    try change.collection.fullTextIndex(named: existing.name, change.db).finishChanges(in: change)
    return true
  }

  func create(_ name: String, in change: IndexChange) throws {
    change.willCreateVirtualTable()
    let index = try FullTextCatalog.create(name, on: change.record.id, self, change.db)
    try change.catalogDidChange()
    try index.fill(in: change)
  }
}

extension FullTextIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "fields"
}
