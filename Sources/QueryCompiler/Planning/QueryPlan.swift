import QueryModel

/// The plan of a query: how each source is read, which conditions indexes answer, and why other indexes are not used.
public struct QueryPlan: Sendable {
  /// How the rows of a source are found.
  public enum Access: String, Hashable, Sendable, Codable {
    /// Every document of the collection is read.
    case scan
    /// Documents are looked up by their ids.
    case documentID
    /// A value index is searched.
    case valueIndexSearch
    /// All entries of a value index are read in their order.
    case valueIndexScan
    /// The first or the last entry of a value index is read, for MIN and MAX.
    case valueIndexEnd
    /// One of the indexes that every collection has is searched: ids, sequences or expirations.
    case metadataSearch
    /// Several indexes of different kinds are searched, and the union of their rows is read, for OR.
    case indexUnion
    /// An array index is searched.
    case arrayIndexSearch
    /// A full-text index is searched.
    case fullTextIndex
    /// A temporary index of the collection's values is built while the query runs.
    case temporaryIndex
    /// The elements of an array are enumerated.
    case elements
  }

  /// An index that is not used.
  public struct UnusedIndex: Hashable, Sendable, Codable {
    /// The index's name.
    public let name: String
    /// The reason why it is not used.
    public let reason: String
  }

  /// How one source is read.
  public struct Step: Sendable {
    /// The name of the source in the query.
    public var source: String
    /// The collection; nil for the elements of an array.
    public var collection: String?
    /// How its rows are found.
    public var access: Access
    /// The index that is used.
    public var index: String?
    /// The conditions that the access answers, in SQL++.
    public var indexedConditions: [String] = []
    /// Whether documents are read; false if an index contains everything that the query needs.
    public var readsDocuments = true
    /// The indexes from which predictions are read instead of calling a model.
    public var predictionIndexes: [String] = []
    /// The lookups in pattern indexes that exclude rows when the query runs.
    public var probes: [PatternProbe] = []
    /// The indexes of the collection that are not used for this source.
    public var unusedIndexes: [UnusedIndex] = []

    /// Records how the rows are found, and a condition that the access answers.
    mutating func note(_ access: Access, _ condition: String, index: String? = nil) {
      self.access = access
      self.index = index
      indexedConditions.append(condition)
    }

    /// Returns a copy whose predictions are read from indexes.
    func reading(predictionsFrom indexes: [String]) -> Step {
      var step = self
      step.predictionIndexes = indexes
      step.unusedIndexes.removeAll { indexes.contains($0.name) }
      return step
    }
  }

  /// Whether all documents of the first source are read.
  public var readsWholeCollection: Bool { steps.first?.access == .scan }

  /// The sources in the order of the query.
  public var steps: [Step] = []
  /// The conditions that are tested on each row, in SQL++.
  ///
  /// - Complexity: O(n) in their length; they are formatted on each access.
  public var filters: [String] { query.map { filterExpressions.map($0.text) } ?? [] }
  /// Notes about parts of the query whose meaning may surprise the user.
  public var notes: [String] = []
  /// The query.
  var query: ResolvedQuery?
  /// The conditions of ``filters``.
  var filterExpressions: [QueryExpression] = []
}
