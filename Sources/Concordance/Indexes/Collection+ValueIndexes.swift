import DocumentStore
import GRDB
import QueryCompiler
import QueryModel

/// How value and array indexes are made and found.
extension Collection {
  /// Returns the definitions and sizes of the collection's value, array and predictive indexes, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func valueIndexDescriptions() throws -> [ValueIndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.valueIndexes(of: record, db).map { try ValueIndexDescription($0, db) }
      }
    }
  }

  /// Creates a value, array or predictive index and fills it, or completes it where it is there and lacks documents.
  ///
  /// - Parameter leavingIncomplete: whether it may lack documents for which no prediction can be made.
  func createValueIndex(
    _ name: String, _ definition: ValueIndexDefinition, leavingIncomplete: Bool = false
  ) throws {
    try engine.write { transaction in
      let existing = try engine.valueIndexes(of: record, transaction.db).first { $0.name.utf8.elementsEqual(name.utf8) }
      if let existing, !existing.isOutdated, existing.definition == definition { return }
      if let existing, existing.isIncomplete, existing.definition == definition {
        if leavingIncomplete, !Database.prediction.hasModels(definition.modelNames) { return }
        try ValueIndexCatalog.complete(existing, of: record, transaction.db)
      } else {
        _ = try drop(name, transaction)
        _ = try ValueIndexCatalog.create(
          name, on: record, definition, leavingIncomplete: leavingIncomplete, transaction.db)
      }
      try engine.catalogDidChange(in: transaction)
    }
  }

  /// Brings an index up to date that needs models, if these are registered and say something of every document. Otherwise it
  /// stays as it is: that is no reason for a database not to open.
  func refreshPredictions(of index: StoredValueIndex) throws {
    guard Database.prediction.hasModels(index.definition.modelNames) else { return }
    do {
      if index.isIncomplete {
        try createValueIndex(index.name, index.definition)
      } else {
        _ = try rebuildValueIndex(index.name)
      }
    } catch is QueryCompilationError {}
  }

  /// Makes an index anew. One that needs models stays as it is where these are not registered, or a document cannot be
  /// predicted: that is no reason for the others not to be made.
  func reindex(_ name: String) throws {
    let index = try withPublicErrors {
      try engine.store.read { try engine.valueIndexes(of: record, $0).first { $0.name.utf8.elementsEqual(name.utf8) } }
    }
    guard let index, index.makesPredictions else { return try rebuildIndex(forName: name) }
    guard Database.prediction.hasModels(index.definition.modelNames) else { return }
    try withPublicErrors {
      do { _ = try rebuildValueIndex(name) } catch is QueryCompilationError {}
    }
  }

  /// Rebuilds a value or array index.
  ///
  /// - Returns: whether there is one with this name.
  func rebuildValueIndex(_ name: String) throws -> Bool {
    guard
      try engine.store.read({
        try engine.valueIndexes(of: record, $0).contains { $0.name.utf8.elementsEqual(name.utf8) }
      })
    else {
      return false
    }
    try engine.write { transaction in
      guard
        let index = try engine.valueIndexes(of: record, transaction.db).first(where: {
          $0.name.utf8.elementsEqual(name.utf8)
        })
      else {
        return
      }
      _ = try ValueIndexCatalog.rebuild(index, of: record, transaction.db)
      try engine.catalogDidChange(in: transaction)
    }
    return true
  }
}

/// The definition of a value, array or predictive index, as the file has it, and its size.
public struct ValueIndexDescription: Hashable, Sendable {
  /// The name of the index.
  public let name: String
  /// The indexed expressions in SQL++; empty if the elements of an array themselves are indexed.
  public let expressions: [String]
  /// The condition that indexed documents satisfy, in SQL++; nil for all documents.
  public let `where`: String?
  /// The path of the array whose elements are indexed; nil for an index of documents.
  public let path: String?
  /// The call whose outputs a predictive index contains, in SQL++; nil for other indexes.
  public let prediction: String?
  /// The number of documents in the index.
  public let documentCount: Int
  /// The approximate size of its tables in the file, in bytes.
  public let size: Int
  /// Whether queries do not use the index: another version has built it and it must be rebuilt, or it ``isIncomplete``.
  public let isOutdated: Bool
  /// Whether the index lacks documents for which no prediction could be made when they were saved. Creating it again
  /// completes it.
  public let isIncomplete: Bool
  private let definition: ValueIndexDefinition

  /// The configuration with which ``Collection/createIndex(withName:config:)`` creates the same index.
  public var configuration: any IndexConfiguration { encodableConfiguration }

  var encodableConfiguration: any IndexConfiguration & Encodable {
    if let predictive = PredictiveIndexConfiguration(definition) { return predictive }
    if let path { return ArrayIndexConfiguration(path: path, expressions: expressions.isEmpty ? nil : expressions) }
    return ValueIndexConfiguration(expressions, where: `where`)
  }

  init(_ index: StoredValueIndex, _ db: GRDB.Database) throws {
    let statistics = try ValueIndexCatalog.statistics(of: index, db)
    let printer = SQLPrinter()
    name = index.name
    expressions = index.definition.expressions.map { printer.text(of: $0) }
    `where` = index.definition.condition.map { printer.text(of: $0) }
    path = index.definition.path.map { "\($0)" }
    documentCount = statistics.documentCount
    size = statistics.size
    isOutdated = index.isOutdated
    isIncomplete = index.isIncomplete
    prediction = index.definition.prediction.map { printer.text(of: $0) }
    definition = index.definition
  }
}
