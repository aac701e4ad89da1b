import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import SQLiteAccess
import TextIndex

/// Value, array and predictive indexes: tables of the values of expressions.
struct ValueIndexKind: IndexKind {
  let catalogName = IndexCatalog.Kind.value
  let configurations: [any StoredIndexConfiguration.Type] = [
    ArrayIndexConfiguration.self, PredictiveIndexConfiguration.self, ValueIndexConfiguration.self,
  ]

  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredValueIndex] {
    try ValueIndexCatalog.indexes(of: collection.id, db)
  }

  func mayBeOutdated(version: String, definition: String) -> Bool {
    StoredValueIndex.mayBeOutdated(version: version, definition: definition)
  }

  func isStatement(_ sql: String, ofObject name: String) -> Bool {
    ValueIndexTable.isStatement(sql, ofObject: name)
  }
}

extension StoredValueIndex: StoredIndex {
  func add(to schema: inout CollectionSchema) { schema.valueIndexes.append(self) }

  func summary(_ db: GRDB.Database) throws -> IndexSummary {
    let description = try ValueIndexDescription(self, db)
    let kind = definition.prediction != nil ? "predictive" : definition.path == nil ? "value" : "array"
    var summary = IndexSummary(
      name: name, kind: kind, documentCount: description.documentCount, size: description.size, isOutdated: isOutdated)
    summary.expressions =
      description.expressions.isEmpty ? description.prediction.map { [$0] } ?? [] : description.expressions
    summary.where = description.where
    summary.path = description.path
    summary.isIncomplete = isIncomplete
    return summary
  }

  var exportedConfiguration: any StoredIndexConfiguration { definition.configuration }

  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String? {
    // An incomplete index lacks documents, which is not damage.
    if isOutdated, !isIncomplete { return "was built by another version; rebuild it" }
    let rows = try ValueIndexCatalog.differences(of: self, in: collection, limit: 1, db)
    return rows.first.map { "does not match the document in row \($0); rebuild it" }
  }

  func makeWriter(_ context: IndexWriterContext) throws -> any StoredIndexWriter {
    // Opening a file rebuilds outdated indexes, but programs with different versions share an index on PostgreSQL. Keys
    // of two versions in one index would give wrong rows.
    if isOutdated, !isIncomplete, context.transaction.db.valueTableOwner != nil {
      throw TextIndexError(
        .outdated,
        "the index \"\(name)\" was built with other rules for keys (\(version)) than this program has (\(requiredVersion)); it "
          + "must be rebuilt", recovery: .rebuildIndexes)
    }
    return ValueIndexUpdate(
      index: self, writer: try ValueIndexWriter(self, of: context.collection, context.transaction.db), context: context)
  }

  func rebuild(in change: IndexChange, abandoningTable: Bool) throws {
    _ = try ValueIndexCatalog.rebuild(self, of: change.record, change.db)
    try change.catalogDidChange()
  }

  func refresh(in change: IndexChange) throws {
    guard isIncomplete else { return try rebuild(in: change, abandoningTable: false) }
    try ValueIndexCatalog.complete(self, of: change.record, change.db)
    try change.catalogDidChange()
  }

  func drop(_ db: GRDB.Database) throws { try ValueIndexCatalog.drop(self, db) }

  var canBeFilled: Bool { Database.prediction.hasModels(definition.modelNames) }

  func remainsUnchanged(after error: any Error) -> Bool { makesPredictions && error is QueryCompilationError }
}

/// Updates a value index when its documents change.
private struct ValueIndexUpdate: StoredIndexWriter {
  let index: StoredValueIndex
  let writer: ValueIndexWriter
  let context: IndexWriterContext

  func update(_ document: SavedDocument) throws {
    let isIndexed = try writer.update(
      rowID: document.rowID, isNew: document.previous == nil, predictionRun: document.predictionRun)
    guard !isIndexed, !index.isOutdated else { return }
    try ValueIndexCatalog.markIncomplete(index, context.transaction.db)
    try context.noteVersionChange()
  }

  func remove(_ document: StoredDocument, _ parser: JSONParser) throws { try writer.remove(rowID: document.rowID) }
}

extension ValueIndexDefinition: StoredIndexDefinition {
  func adopt(_ existing: StoredValueIndex, in change: IndexChange) throws -> Bool {
    guard existing.definition == self else { return false }
    guard existing.isOutdated else { return true }
    guard existing.isIncomplete else { return false }
    if !change.mayLackDocuments || existing.canBeFilled { try existing.refresh(in: change) }
    return true
  }

  func create(_ name: String, in change: IndexChange) throws {
    _ = try ValueIndexCatalog.create(
      name, on: change.record, self, leavingIncomplete: change.mayLackDocuments, change.db)
    try change.catalogDidChange()
  }
}

extension ValueIndexDefinition {
  /// The configuration that creates an index with this definition.
  var configuration: any StoredIndexConfiguration {
    if let predictive = PredictiveIndexConfiguration(self) { return predictive }
    let printer = SQLPrinter()
    let texts = expressions.map { printer.text(of: $0) }
    if let path { return ArrayIndexConfiguration(path: "\(path)", expressions: texts.isEmpty ? nil : texts) }
    return ValueIndexConfiguration(texts, where: condition.map { printer.text(of: $0) })
  }
}

extension ValueIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "expressions"
}

extension ArrayIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "path"
}

extension PredictiveIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "model"
}
