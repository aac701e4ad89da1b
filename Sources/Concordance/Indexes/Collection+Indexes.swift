import DocumentStore
import GRDB
import JSONText
import TextIndex

extension Collection {
  /// The names of the collection's indexes.
  public func indexes() throws -> [String] { try fullTextIndexes().map(\.name) }

  /// What the collection's full-text indexes are made of, by name.
  public func indexDescriptions() throws -> [IndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.fullTextIndexes(of: record, db).map { try IndexDescription($0, db) }
      }
    }
  }

  /// Creates an index and fills it with the documents that are there.
  ///
  /// The same name with the same configuration again does nothing; with another configuration the index is made anew,
  /// except where only stop words or synonyms differ, which count in queries alone.
  /// Filling happens in one transaction: when it is interrupted, the collection is as it was before.
  ///
  /// - Parameters:
  ///   - name: the index's name, unique in the collection.
  ///   - config: what it is made of.
  /// - Throws: ``CBLError/invalidParameter`` for a configuration that makes no sense, such as an unknown language.
  /// - Complexity: O(n) in the text of the collection.
  public func createIndex(withName name: String, config: any IndexConfiguration) throws {
    try createIndex(withName: name, config: config, progress: nil)
  }

  /// Creates an index and fills it, telling how far it is.
  ///
  /// - Parameter progress: called now and then with the documents that are done and all that there are; returns whether
  ///   to go on. When it returns false, nothing is changed and the call throws `CancellationError`.
  public func createIndex(
    withName name: String, config: any IndexConfiguration, progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    guard let config = config as? FullTextIndexConfiguration else {
      throw CBLError(CBLError.unsupported, "an index of the type \(type(of: config)) is not available yet")
    }
    guard !name.isEmpty, !name.contains("\0") else {
      throw CBLError(CBLError.invalidParameter, "the name of an index is empty or holds U+0000")
    }
    try withPublicErrors {
      let definition = try config.definition()
      // Checked before anything is dropped.
      _ = try Analyzer(definition.analyzer)
      try engine.write { transaction in
        let existing = try engine.fullTextIndexes(of: record, transaction.db).first { $0.name == name }
        if let existing, !existing.isOutdated, existing.definition.makesSameTerms(as: definition) {
          guard existing.definition != definition else { return }
          try FullTextCatalog.redefine(existing, definition, transaction.db)
          return try engine.catalogDidChange(in: transaction)
        }
        if let existing { try FullTextCatalog.drop(existing, transaction.db) }
        engine.didCreateIndex()
        let index = try FullTextCatalog.create(name, on: record.id, definition, transaction.db)
        try engine.catalogDidChange(in: transaction)
        try fill(index, transaction, progress)
      }
    }
  }

  /// Creates an index made with ``IndexBuilder``. See ``createIndex(withName:config:)``.
  public func createIndex(_ index: any Index, name: String) throws {
    guard let index = index as? FullTextIndex else {
      throw CBLError(CBLError.unsupported, "an index of the type \(type(of: index)) is not available yet")
    }
    try createIndex(withName: name, config: index.configuration)
  }

  /// Deletes an index; does nothing when there is none.
  public func deleteIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { transaction in
        guard let index = try engine.fullTextIndexes(of: record, transaction.db).first(where: { $0.name == name })
        else { return }
        try FullTextCatalog.drop(index, transaction.db)
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  /// Makes an index anew from the documents: after damage, or when it was made by an older version of the analysis.
  ///
  /// - Throws: ``CBLError/missingIndex``.
  public func rebuildIndex(forName name: String, progress: ((UInt64, UInt64) -> Bool)? = nil) throws {
    try withPublicErrors {
      do {
        try rebuild(name, abandoningTable: false, progress)
      } catch let error as StoreError where error.kind == .corrupt {
        // In a transaction of its own: the one that touched the damage cannot be committed any more.
        try rebuild(name, abandoningTable: true, progress)
      }
    }
  }

  private func rebuild(
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

  /// Merges the parts that an index has grown from into one, which makes searches faster and the file smaller.
  ///
  /// - Throws: ``CBLError/missingIndex``.
  public func optimizeIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { try FullTextCatalog.optimize(fullTextIndex(named: name, $0.db), $0.db) }
    }
  }

  /// The index with this name, or, without one, the only full-text index of the collection.
  func fullTextIndex(named name: String?, _ db: GRDB.Database) throws -> InvertedIndex {
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
    guard let index = indexes.first(where: { $0.name == name }) else {
      throw CBLError(
        CBLError.missingIndex,
        "the collection \(fullName) has no index \"\(name)\"" + (names.isEmpty ? "" : "; it has \(names)"))
    }
    return index
  }

  func fullTextIndexes() throws -> [InvertedIndex] {
    try withPublicErrors { try engine.store.read { try engine.fullTextIndexes(of: record, $0) } }
  }

  private func fill(
    _ index: InvertedIndex, _ transaction: WriteTransaction, _ progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    let total = UInt64(clamping: try CollectionCatalog.documentCount(record, transaction.db))
    let analysis = DocumentAnalysis(index)
    let writer = try FullTextWriter(index, transaction.db)
    let parser = try JSONParser()
    var done: UInt64 = 0
    try DocumentReader(record, transaction.db).forEach { document in
      let terms = try document.body.withUnsafeBytes { try analysis.analyze(parser.parse($0)) }
      try writer.insert(terms, rowID: document.rowID)
      done += 1
      if done % 1000 == 0 || done == total, progress?(done, total) == false { throw CancellationError() }
      return true
    }
  }
}
