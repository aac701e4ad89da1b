import DocumentStore
import GRDB
import QueryCompiler
import QueryModel

/// The definition of a value, array or predictive index, as stored in the file, and its size.
public struct ValueIndexDescription: Hashable, Sendable {
  /// The name of the index.
  public let name: String
  /// The indexed expressions in SQL++; empty if the elements of an array themselves are indexed.
  public let expressions: [String]
  /// The condition that indexed documents satisfy, in SQL++; nil for all documents.
  public let `where`: String?
  /// The path of the array whose elements are indexed; nil if the index is not on the elements of an array.
  public let path: String?
  /// The call whose outputs a predictive index contains, in SQL++; nil for other indexes.
  public let prediction: String?
  /// The number of documents in the index.
  public let documentCount: Int
  /// The approximate size of its tables in the file, in bytes.
  public let size: Int
  /// Whether queries cannot use the index, because it was built with another version or because it is incomplete; see
  /// ``isIncomplete``. An index that was built with another version must be rebuilt.
  public let isOutdated: Bool
  /// Whether the index lacks documents for which no prediction could be made when they were saved. Creating it again
  /// completes it.
  public let isIncomplete: Bool
  private let definition: ValueIndexDefinition

  /// The configuration with which ``Collection/createIndex(withName:config:)`` creates the same index.
  public var configuration: any IndexConfiguration { definition.configuration }

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

extension Collection {
  /// Returns the definitions and sizes of the collection's value, array and predictive indexes, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func valueIndexDescriptions() throws -> [ValueIndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.schema(of: record, db).valueIndexes.map { try ValueIndexDescription($0, db) }
      }
    }
  }
}
