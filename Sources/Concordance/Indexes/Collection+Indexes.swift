import DocumentStore
import GRDB
import QueryCompiler
import TextIndex
import TrigramIndex

extension Collection {
  /// Returns the names of the collection's indexes of all kinds, sorted.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func indexes() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in
        let schema = try engine.schema(of: record, db)
        let names = schema.fullTextIndexes.map(\.name) + schema.valueIndexes.map(\.name)
        return (names + schema.patternIndexes.map(\.name)).sorted()
      }
    }
  }

  /// Returns the definitions and sizes of the collection's full-text indexes, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func indexDescriptions() throws -> [IndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.fullTextIndexes(of: record, db).map { try IndexDescription($0, db) }
      }
    }
  }

  /// Creates an index and fills it with the documents of the collection.
  ///
  /// ```swift
  /// try hotels.createIndex(withName: "text", config: FullTextIndexConfiguration(["name", "description"], language: "en"))
  /// ```
  ///
  /// Creating an index again with the same configuration does nothing. With another configuration the index is rebuilt,
  /// unless only stop words, synonyms or ranking parameters differ, which matter only to queries. The index is filled
  /// in one transaction: if it is interrupted, the collection is unchanged.
  ///
  /// - Parameters:
  ///   - name: the name of the index, unique in the collection.
  ///   - config: the kind and definition of the index.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for a configuration that is not valid, such as an unknown language.
  ///   - ``CBLError/invalidQuery`` for an expression that cannot be parsed or indexed, or if a document needs a model
  ///     that is not registered, see ``PredictiveIndex``.
  ///   - ``CBLError/busy``, ``CBLError/notWriteable`` and ``CBLError/ioError`` as ``save(document:)``.
  /// - Complexity: O(n) in the text of the collection.
  public func createIndex(withName name: String, config: any IndexConfiguration) throws {
    try createIndex(withName: name, config: config, progress: nil)
  }

  /// Creates an index, fills it, and reports the progress.
  ///
  /// - Parameters:
  ///   - name: the name of the index, unique in the collection.
  ///   - config: the kind and definition of the index.
  ///   - progress: called from time to time with the number of indexed documents and of all documents. It returns
  ///     whether to continue; if it returns false, nothing is changed and the call throws `CancellationError`.
  /// - Throws: ``CBLError`` as ``createIndex(withName:config:)``; `CancellationError`.
  public func createIndex(
    withName name: String, config: any IndexConfiguration, progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    try createIndex(withName: name, config: config, leavingIncomplete: false, progress: progress)
  }

  /// Creates an index.
  ///
  /// - Parameter leavingIncomplete: whether an index that needs a model is made where the model is not registered.
  func createIndex(
    withName name: String, config: any IndexConfiguration, leavingIncomplete: Bool,
    progress: ((UInt64, UInt64) -> Bool)?
  ) throws {
    guard !name.isEmpty, !name.contains("\0") else {
      throw CBLError(CBLError.invalidParameter, "the name of an index is empty or holds U+0000")
    }
    try withPublicErrors {
      switch config {
      case let config as FullTextIndexConfiguration: try createFullTextIndex(name, config.definition(), progress)
      case let config as ValueIndexConfiguration:
        try createValueIndex(name, config.definition(), leavingIncomplete: leavingIncomplete)
      case let config as ArrayIndexConfiguration:
        try createValueIndex(name, config.definition(), leavingIncomplete: leavingIncomplete)
      case let config as PredictiveIndexConfiguration:
        try createValueIndex(name, config.definition(), leavingIncomplete: leavingIncomplete)
      case let config as PatternIndexConfiguration: try createPatternIndex(name, config.definition(), progress)
      default:
        throw CBLError(CBLError.unsupported, "there is no index of the type \(type(of: config))")
      }
    }
  }

  /// Creates an index that was made with ``IndexBuilder``. See ``createIndex(withName:config:)``.
  ///
  /// - Parameters:
  ///   - index: the definition of the index.
  ///   - name: the name of the index, unique in the collection.
  /// - Throws: ``CBLError`` as ``createIndex(withName:config:)``.
  public func createIndex(_ index: Index, name: String) throws {
    switch index {
    case let index as FullTextIndex: try createIndex(withName: name, config: index.configuration())
    case let index as PatternIndex: try createIndex(withName: name, config: index.configuration)
    case let index as ValueIndex: try withPublicErrors { try createValueIndex(name, index.definition()) }
    case let index as PredictiveIndex: try withPublicErrors { try createValueIndex(name, index.definition()) }
    default: throw CBLError(CBLError.unsupported, "there is no index of the type \(type(of: index))")
    }
  }

  /// Deletes an index. Does nothing if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError``; ``CBLError/busy`` and ``CBLError/notWriteable`` as ``save(document:)``.
  public func deleteIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { transaction in
        guard try drop(name, transaction) else { return }
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  /// Rebuilds an index from the documents: after damage, or if another version of the text analysis has built it.
  ///
  /// - Parameters:
  ///   - name: the name of the index.
  ///   - progress: called from time to time with the number of indexed documents and of all documents; returns whether
  ///     to continue. If it returns false, nothing is changed and the call throws `CancellationError`.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/missingIndex`` if there is no such index.
  ///   - ``CBLError/invalidQuery`` if it needs a model that is not registered; the index is unchanged then.
  /// - Complexity: O(n) in the text of the collection.
  public func rebuildIndex(forName name: String, progress: ((UInt64, UInt64) -> Bool)? = nil) throws {
    try withPublicErrors {
      if try rebuildValueIndex(name) { return }
      do {
        if try rebuildPatternIndex(name, abandoningTable: false, progress) { return }
        try rebuild(name, abandoningTable: false, progress)
      } catch let error as StoreError where error.kind == .corrupt {
        // In a separate transaction, because the one that has read the damage cannot be committed.
        if try rebuildPatternIndex(name, abandoningTable: true, progress) { return }
        try rebuild(name, abandoningTable: true, progress)
      }
    }
  }

  /// Merges the segments of an index into one, which makes searches faster and the file smaller.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError/missingIndex`` if there is no such index.
  /// - Complexity: O(n) in the size of the index.
  public func optimizeIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { transaction in
        // The table of a value index is one tree from the start.
        if try engine.valueIndexes(of: record, transaction.db).contains(where: { $0.name.utf8.elementsEqual(name.utf8) }
        ) {
          return
        }
        if let index = try patternIndex(name, transaction.db) {
          return try PatternIndexCatalog.optimize(index, transaction.db)
        }
        try optimizeFullTextIndex(name, transaction)
      }
    }
  }

  /// What makes the terms of each index that has terms.
  func termAnalyses() throws -> [TermAnalysis] {
    try withPublicErrors {
      let schema = try engine.store.read { try engine.schema(of: record, $0) }
      return schema.fullTextIndexes.map { TermAnalysis($0) } + schema.patternIndexes.map { TermAnalysis($0) }
    }
  }

  /// Drops the index with a name, of any kind.
  ///
  /// - Returns: whether there was one.
  func drop(_ name: String, _ transaction: WriteTransaction) throws -> Bool {
    let schema = try engine.schema(of: record, transaction.db)
    if let index = schema.fullTextIndexes.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      try FullTextCatalog.drop(index, transaction.db)
    } else if let index = schema.valueIndexes.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      try ValueIndexCatalog.drop(index, transaction.db)
    } else if let index = try patternIndex(name, transaction.db) {
      try PatternIndexCatalog.drop(index, transaction.db)
    } else {
      return false
    }
    return true
  }
}
