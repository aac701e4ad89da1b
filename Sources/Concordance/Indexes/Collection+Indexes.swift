import DocumentStore
import GRDB
import QueryCompiler
import TextIndex
import TrigramIndex

extension Collection {
  /// The names of the collection's indexes.
  public func indexes() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in
        let schema = try engine.schema(of: record, db)
        let names = schema.fullTextIndexes.map(\.name) + schema.valueIndexes.map(\.name)
        return (names + schema.patternIndexes.map(\.name)).sorted()
      }
    }
  }

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
  /// except where only stop words, synonyms or the ranking differ, which count in queries alone.
  /// Filling happens in one transaction: when it is interrupted, the collection is as it was before.
  ///
  /// - Parameters:
  ///   - name: the index's name, unique in the collection.
  ///   - config: what it is made of.
  /// - Throws: ``CBLError/invalidParameter`` for a configuration that makes no sense, such as an unknown language;
  ///   ``CBLError/invalidQuery`` where a document needs a model that is not registered, see ``PredictiveIndex``.
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

  /// Creates an index made with ``IndexBuilder``. See ``createIndex(withName:config:)``.
  public func createIndex(_ index: Index, name: String) throws {
    switch index {
    case let index as FullTextIndex: try createIndex(withName: name, config: index.configuration())
    case let index as PatternIndex: try createIndex(withName: name, config: index.configuration)
    case let index as ValueIndex: try withPublicErrors { try createValueIndex(name, index.definition()) }
    case let index as PredictiveIndex: try withPublicErrors { try createValueIndex(name, index.definition()) }
    default: throw CBLError(CBLError.unsupported, "there is no index of the type \(type(of: index))")
    }
  }

  /// Deletes an index; does nothing when there is none.
  public func deleteIndex(forName name: String) throws {
    try withPublicErrors {
      try engine.write { transaction in
        guard try drop(name, transaction) else { return }
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  /// Makes an index anew from the documents: after damage, or when it was made by an older version of the analysis.
  ///
  /// - Throws: ``CBLError/missingIndex``; ``CBLError/invalidQuery`` where it needs a model that is not registered, and then
  ///   it stays as it is.
  public func rebuildIndex(forName name: String, progress: ((UInt64, UInt64) -> Bool)? = nil) throws {
    try withPublicErrors {
      if try rebuildValueIndex(name) { return }
      do {
        if try rebuildPatternIndex(name, abandoningTable: false, progress) { return }
        try rebuild(name, abandoningTable: false, progress)
      } catch let error as StoreError where error.kind == .corrupt {
        // In a transaction of its own: the one that touched the damage cannot be committed any more.
        if try rebuildPatternIndex(name, abandoningTable: true, progress) { return }
        try rebuild(name, abandoningTable: true, progress)
      }
    }
  }

  /// Merges the parts that an index has grown from into one, which makes searches faster and the file smaller.
  ///
  /// - Throws: ``CBLError/missingIndex``.
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

  /// Drops the index with this name, of whatever kind.
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
