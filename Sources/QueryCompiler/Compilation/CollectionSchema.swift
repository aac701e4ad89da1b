public import DocumentStore
public import TextIndex
public import TrigramIndex

/// What the compiler knows of a collection: its table and its indexes.
public struct CollectionSchema: Sendable {
  /// The collection.
  public let record: CollectionRecord
  /// Its full-text indexes.
  public var fullTextIndexes: [StoredFullTextIndex]
  /// Its value and array indexes.
  public var valueIndexes: [StoredValueIndex]
  /// Its pattern indexes.
  public var patternIndexes: [StoredPatternIndex]

  /// Describes a collection.
  public init(
    _ record: CollectionRecord, fullTextIndexes: [StoredFullTextIndex] = [], valueIndexes: [StoredValueIndex] = [],
    patternIndexes: [StoredPatternIndex] = []
  ) {
    self.record = record
    self.fullTextIndexes = fullTextIndexes
    self.valueIndexes = valueIndexes
    self.patternIndexes = patternIndexes
  }

  /// The full-text index that a query names. A query by property, as in the first developer builds of Couchbase Lite, means
  /// the index over that property.
  func fullTextIndex(_ name: String) -> StoredFullTextIndex? {
    fullTextIndexes.first { $0.name == name } ?? fullTextIndexes.first { $0.column(of: name) != nil }
  }

  /// The indexes with a row for each document that queries may use.
  var usableIndexes: [StoredValueIndex] {
    valueIndexes.filter { $0.isOfDocuments && !$0.isOutdated && !$0.columns.isEmpty }
  }

  /// The indexes that hold predictions for every document.
  var predictionIndexes: [StoredValueIndex] {
    valueIndexes.filter { $0.definition.prediction != nil && !$0.isOutdated }
  }

  /// The indexes with a row for each element of an array that queries may use.
  var usableArrayIndexes: [StoredValueIndex] { valueIndexes.filter { !$0.isOfDocuments && !$0.isOutdated } }
}
