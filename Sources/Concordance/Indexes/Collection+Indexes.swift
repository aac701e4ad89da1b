import DocumentStore
import GRDB
import QueryCompiler

extension Collection {
  /// Returns the names of the collection's indexes of all kinds, sorted.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func indexes() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in try engine.indexes(of: record, db).all.map(\.name).sorted() }
    }
  }

  /// Creates an index and fills it with the documents of the collection.
  ///
  /// ```swift
  /// try hotels.createIndex(
  ///   withName: "text", config: FullTextIndexConfiguration(["name", "description"], language: "en"))
  /// ```
  ///
  /// Creating an index again with the same configuration does nothing. If the configuration differs, the index is
  /// rebuilt, unless only stop words, synonyms or ranking parameters differ, which affect only queries. An index of
  /// another kind with this name is replaced, as in Couchbase Lite. The index is filled in one transaction: if the call
  /// is interrupted, the collection is unchanged.
  ///
  /// - Parameters:
  ///   - name: the name of the index, unique in the collection.
  ///   - config: the kind and definition of the index.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for an invalid configuration, such as an unknown language.
  ///   - ``CBLError/invalidQuery`` for an expression that cannot be parsed or indexed, or if a document needs a model
  ///     that is not registered; see ``PredictiveIndex``.
  ///   - ``CBLError/busy``, ``CBLError/notWriteable`` and ``CBLError/ioError`` as for ``save(document:)``.
  /// - Complexity: O(n) in the text of the collection.
  public func createIndex(withName name: String, config: any IndexConfiguration) throws {
    try createIndex(withName: name, config: config, progress: nil)
  }

  /// Creates an index, fills it, and reports progress.
  ///
  /// - Parameters:
  ///   - name: the name of the index, unique in the collection.
  ///   - config: the kind and definition of the index.
  ///   - progress: called periodically with the number of indexed documents and the total number of documents. It
  ///     returns whether to continue; if it returns false, nothing is changed and the call throws `CancellationError`.
  /// - Throws: the same errors as ``createIndex(withName:config:)``; `CancellationError`.
  public func createIndex(
    withName name: String, config: any IndexConfiguration, progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    try createIndex(withName: name, config: config, leavingIncomplete: false, progress: progress)
  }

  /// Creates an index.
  ///
  /// - Parameter leavingIncomplete: whether to create the index without the documents that cannot be indexed now
  ///   because a model is not registered.
  func createIndex(
    withName name: String, config: any IndexConfiguration, leavingIncomplete: Bool,
    progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    try withPublicErrors {
      guard let config = config as? any StoredIndexConfiguration else {
        throw CBLError(CBLError.unsupported, "\(type(of: config)) is not a supported type of index")
      }
      try createIndex(name, config.definition(), leavingIncomplete: leavingIncomplete, progress: progress)
    }
  }

  /// Creates an index from a definition made with ``IndexBuilder``. See ``createIndex(withName:config:)``.
  ///
  /// - Parameters:
  ///   - index: the definition of the index.
  ///   - name: the name of the index, unique in the collection.
  /// - Throws: the same errors as ``createIndex(withName:config:)``.
  public func createIndex(_ index: Index, name: String) throws {
    try withPublicErrors { try createIndex(name, index.storedDefinition()) }
  }

  /// Creates an index from a definition, or changes the existing index with this name to match the definition.
  func createIndex(
    _ name: String, _ definition: some StoredIndexDefinition, leavingIncomplete: Bool = false,
    progress: ((UInt64, UInt64) -> Bool)? = nil
  ) throws {
    guard !name.isEmpty, !name.contains("\0") else {
      throw CBLError(CBLError.invalidParameter, "the name of an index is empty or contains U+0000")
    }
    // Checks the definition before anything is dropped.
    try definition.check()
    if let subject = type(of: definition).unavailableOnPostgreSQL { try engine.store.requireFile(for: subject) }
    try engine.write { transaction in
      let change = IndexChange(
        collection: self, transaction: transaction, progress: progress, mayLackDocuments: leavingIncomplete)
      if let existing = try engine.indexes(of: record, transaction.db)[name] {
        if try definition.adopt(any: existing, in: change) { return }
        try existing.drop(transaction.db)
      }
      try definition.create(name, in: change)
    }
  }

  /// Deletes an index. Does nothing if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError/busy`` and ``CBLError/notWriteable`` as for ``save(document:)``.
  public func deleteIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { transaction in
        guard let index = try engine.indexes(of: record, transaction.db)[name] else { return }
        try index.drop(transaction.db)
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  /// Rebuilds an index from the documents, for example because it is damaged or was built with another version of the
  /// text analysis.
  ///
  /// - Parameters:
  ///   - name: the name of the index.
  ///   - progress: called periodically with the number of indexed documents and the total number of documents; returns
  ///     whether to continue. If it returns false, nothing is changed and the call throws `CancellationError`.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/missingIndex`` if there is no such index.
  ///   - ``CBLError/invalidQuery`` if it needs a model that is not registered; the index is then unchanged.
  /// - Complexity: O(n) in the text of the collection.
  public func rebuildIndex(forName name: String, progress: ((UInt64, UInt64) -> Bool)? = nil) throws {
    try withPublicErrors { try replace(name, progress) { try $0.rebuild(in: $1, abandoningTable: false) } }
  }

  /// Merges the segments of an index into one, which makes searches faster and the file smaller.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError/missingIndex`` if there is no such index.
  /// - Complexity: O(n) in the size of the index.
  public func optimizeIndex(forName name: String) throws {
    try withPublicErrors { try change(name) { try $0.optimize(in: $1) } }
  }
}

extension Collection {
  /// Rebuilds an index. An index that cannot be filled now is skipped, so that the others are still rebuilt.
  func rebuildIfPossible(_ name: String) throws {
    try fillIfPossible(name) { try $0.rebuild(in: $1, abandoningTable: false) }
  }

  /// Updates an outdated index. An index that cannot be filled now is skipped, so that the database still opens.
  func refreshIfPossible(_ name: String) throws { try fillIfPossible(name) { try $0.refresh(in: $1) } }

  /// Makes searches in all indexes faster after large changes; see ``StoredIndex/finishChanges(in:)``. Each index has its own
  /// transaction.
  func finishChanges() throws {
    for name in try indexNames() { try finishChanges(ofIndex: name) }
  }

  /// Makes searches faster after an import. They also work without it, and all documents are saved. So if the disk is full or
  /// fails, if another process is writing, or if the import is cancelled, the error is ignored, and the next import tries it
  /// again. Inside a batch, the error concerns the batch.
  func finishImport() throws {
    for name in try indexNames() {
      do { try finishChanges(ofIndex: name) } catch  where !engine.store.isWriting && isTemporary(error) {}
    }
  }

  private func indexNames() throws -> [String] {
    try engine.store.read { try engine.indexes(of: record, $0).all.map(\.name) }
  }

  private func finishChanges(ofIndex name: String) throws {
    try engine.write { transaction in
      // Another process may have deleted it.
      guard let index = try engine.indexes(of: record, transaction.db)[name] else { return }
      try index.finishChanges(in: IndexChange(collection: self, transaction: transaction))
    }
  }

  private func isTemporary(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return error is CancellationError }
    return [.diskFull, .io, .busy].contains(error.kind)
  }

  /// Returns the preparation of documents for an import, with the indexes that support it.
  func makeImportPreparation() throws -> ImportPreparation {
    try withPublicErrors {
      try engine.store.read { db in
        let memory = engine.store.configuration.indexMemory
        let analyses = try engine.indexes(of: record, db).all.compactMap { $0.makeTermAnalysis(memory: memory, db) }
        let lastRow = try engine.store.configuration.remote != nil ? nil : DocumentReader(record, db).lastRow()
        return ImportPreparation(analyses, after: lastRow)
      }
    }
  }

  private func fillIfPossible(_ name: String, _ body: (any StoredIndex, IndexChange) throws -> Void) throws {
    try withPublicErrors {
      guard let index = try engine.store.read({ try engine.indexes(of: record, $0)[name] }), index.canBeFilled else {
        return
      }
      do { try replace(name, nil, body) } catch  where index.remainsUnchanged(after: error) {}
    }
  }

  /// Calls `body` to refill an index, and rebuilds the index if its tables are too damaged for that.
  private func replace(
    _ name: String, _ progress: ((UInt64, UInt64) -> Bool)?, _ body: (any StoredIndex, IndexChange) throws -> Void
  ) throws {
    do {
      try change(name, progress, body)
    } catch let error as StoreError where error.kind == .corrupt {
      // Uses a new transaction, because the transaction that found the damage can no longer be committed.
      try change(name, progress) { try $0.rebuild(in: $1, abandoningTable: true) }
    }
  }

  private func change(
    _ name: String, _ progress: ((UInt64, UInt64) -> Bool)? = nil,
    _ body: (any StoredIndex, IndexChange) throws -> Void
  ) throws {
    try engine.write { transaction in
      let indexes = try engine.indexes(of: record, transaction.db)
      guard let index = indexes[name] else {
        let names = indexes.all.map(\.name).sorted().joined(separator: ", ")
        throw CBLError(
          CBLError.missingIndex,
          "the collection \(fullName) has no index \"\(name)\"" + (names.isEmpty ? "" : "; it has \(names)"))
      }
      try body(index, IndexChange(collection: self, transaction: transaction, progress: progress))
    }
  }
}
