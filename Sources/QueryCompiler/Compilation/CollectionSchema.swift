public import DocumentStore
public import TextIndex
public import TrigramIndex

/// A collection as the compiler sees it: its table and its indexes.
public struct CollectionSchema: Sendable {
  /// The collection.
  public let record: CollectionRecord
  /// Its full-text indexes.
  public var fullTextIndexes: [StoredFullTextIndex]
  /// Its value and array indexes.
  public var valueIndexes: [StoredValueIndex]
  /// Its pattern indexes.
  public var patternIndexes: [StoredPatternIndex]

  /// Creates the schema of a collection with its indexes.
  public init(
    _ record: CollectionRecord, fullTextIndexes: [StoredFullTextIndex] = [], valueIndexes: [StoredValueIndex] = [],
    patternIndexes: [StoredPatternIndex] = []
  ) {
    self.record = record
    self.fullTextIndexes = fullTextIndexes
    self.valueIndexes = valueIndexes
    self.patternIndexes = patternIndexes
  }

  /// Returns the full-text index that a query names. If no index has this name, it is interpreted as the name of a
  /// property, as in the first developer builds of Couchbase Lite, and the index of that property is returned.
  func fullTextIndex(_ name: String) -> StoredFullTextIndex? {
    fullTextIndexes.first { $0.name == name } ?? fullTextIndexes.first { $0.column(of: name) != nil }
  }

  /// The indexes that queries may use and that have one row per document.
  var usableIndexes: [StoredValueIndex] {
    valueIndexes.filter { $0.isOfDocuments && !$0.isOutdated && !$0.columns.isEmpty }
  }

  /// The indexes that contain a prediction for every document.
  var predictionIndexes: [StoredValueIndex] {
    valueIndexes.filter { $0.definition.prediction != nil && !$0.isOutdated }
  }

  /// The indexes that queries may use and that have one row per array element.
  var usableArrayIndexes: [StoredValueIndex] { valueIndexes.filter { !$0.isOfDocuments && !$0.isOutdated } }
}
