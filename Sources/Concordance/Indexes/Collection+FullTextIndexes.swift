import DocumentStore
import GRDB
import QueryCompiler
import TextIndex

/// How full-text indexes are made and found.
extension Collection {
  /// Creates a full-text index and fills it.
  func createFullTextIndex(
    _ name: String, _ definition: FullTextDefinition, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    // Checked before anything is dropped.
    try definition.checkAnalyzers()
    try engine.write { transaction in
      let existing = try engine.fullTextIndexes(of: record, transaction.db).first {
        $0.name.utf8.elementsEqual(name.utf8)
      }
      if let existing, !existing.isOutdated, existing.definition.makesSameTerms(as: definition) {
        guard existing.definition != definition else { return }
        try FullTextCatalog.redefine(existing, definition, transaction.db)
        try engine.catalogDidChange(in: transaction)
        return try writeBounds(of: fullTextIndex(named: name, transaction.db), transaction)
      }
      _ = try drop(name, transaction)
      engine.didCreateIndex()
      let index = try FullTextCatalog.create(name, on: record.id, definition, transaction.db)
      try engine.catalogDidChange(in: transaction)
      try fill(index, transaction, progress)
    }
  }

  func rebuild(
    _ name: String, abandoningTable: Bool, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    try engine.write { transaction in
      let old = try fullTextIndex(named: name, transaction.db)
      engine.didCreateIndex()
      let index = try FullTextCatalog.reset(old, abandoningTable: abandoningTable, transaction.db)
      try engine.catalogDidChange(in: transaction)
      try fill(index, transaction, progress)
    }
  }

  /// The index with this name, or, without one, the only full-text index of the collection.
  func fullTextIndex(named name: String?, _ db: GRDB.Database) throws -> StoredFullTextIndex {
    let indexes = try engine.fullTextIndexes(of: record, db)
    let names = indexes.map(\.name).joined(separator: ", ")
    guard let name else {
      if let only = indexes.first, indexes.count == 1 { return only }
      throw CBLError(
        CBLError.missingIndex,
        indexes.isEmpty
          ? "the collection \(fullName) has no full-text index"
          : "the collection \(fullName) has several full-text indexes (\(names)); name one")
    }
    guard let index = indexes.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw CBLError(
        CBLError.missingIndex,
        "the collection \(fullName) has no index \"\(name)\"" + (names.isEmpty ? "" : "; it has \(names)"))
    }
    return index
  }

  private func fill(
    _ index: StoredFullTextIndex, _ transaction: WriteTransaction, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    let writer = try transaction.fullTextWriter(index)
    let analysis = DocumentAnalysis(index)
    let condition = try index.documentCondition(of: record, transaction.db)
    try IndexPopulator(collection: record, condition: condition, transaction: transaction, progress: progress)
      .run({ try analysis.analyze($0) }, insert: writer.insert)
    try writeBounds(of: index, transaction)
  }

  /// Sees to it that the bounds with which the best hits are found are kept for all of an index.
  private func writeBounds(of index: StoredFullTextIndex, _ transaction: WriteTransaction) throws {
    try transaction.writeDeferred()
    try FullTextCatalog.writeBounds(of: index, transaction.db)
  }

  /// The same for all full-text indexes of the collection.
  func writeBounds(_ transaction: WriteTransaction) throws {
    for index in try engine.fullTextIndexes(of: record, transaction.db) { try writeBounds(of: index, transaction) }
  }

  /// Merges the segments of a full-text index.
  func optimizeFullTextIndex(_ name: String, _ transaction: WriteTransaction) throws {
    let index = try fullTextIndex(named: name, transaction.db)
    try FullTextCatalog.optimize(index, transaction.db)
    try writeBounds(of: index, transaction)
  }
}
