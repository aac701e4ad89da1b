import DocumentStore

/// The definition and size of an index of any kind. Properties that do not apply to the kind are empty or nil.
public struct IndexSummary: Hashable, Sendable {
  /// The index's name.
  public let name: String
  /// The kind: `full-text`, `value`, `array`, `predictive`, `pattern` or `view`.
  public let kind: String
  /// The properties whose text is indexed.
  public var fields: [String] = []
  /// The analyzer of the fields; nil for an index without terms.
  public var analyzer: AnalyzerConfiguration?
  /// The analyzers of individual fields that do not use ``analyzer``, by field.
  public var fieldAnalyzers: [String: AnalyzerConfiguration] = [:]
  /// The indexed values, in SQL++.
  public var expressions: [String] = []
  /// The condition that indexed documents satisfy, in SQL++; nil for all documents.
  public var `where`: String?
  /// The array whose elements are indexed.
  public var path: String?
  /// The key of a view, in SQL++; nil for other indexes and for a view with a map function.
  public var key: String?
  /// The value of a view, in SQL++, or `*` for the document; nil for no value.
  public var value: String?
  /// The name of a view's reduce function; nil for none.
  public var reduce: String?
  /// The number of documents in the index.
  public let documentCount: Int
  /// The approximate size of its tables in the file, in bytes.
  public let size: Int
  /// Whether the index must be rebuilt or completed before it is used.
  public let isOutdated: Bool
  /// Whether the index lacks documents that could not be indexed when they were saved.
  public var isIncomplete = false

  init(name: String, kind: String, documentCount: Int, size: Int, isOutdated: Bool) {
    self.name = name
    self.kind = kind
    self.documentCount = documentCount
    self.size = size
    self.isOutdated = isOutdated
  }

  /// Returns whether another index has the same definition.
  ///
  /// - Parameter other: the summary of the other index.
  public func hasSameDefinition(as other: IndexSummary) -> Bool {
    kind == other.kind && fields == other.fields && analyzer == other.analyzer
      && fieldAnalyzers == other.fieldAnalyzers && expressions == other.expressions && `where` == other.where
      && path == other.path && key == other.key && value == other.value && reduce == other.reduce
  }
}

extension Collection {
  /// Returns summaries of the collection's indexes of all kinds, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func indexSummaries() throws -> [IndexSummary] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.indexes(of: record, db).all.map { try $0.summary(db) }.sorted { $0.name < $1.name }
      }
    }
  }
}
