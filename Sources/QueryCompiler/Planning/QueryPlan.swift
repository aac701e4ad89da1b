import QueryModel

/// How a query is run: what each source is read by, which conditions an index answers, and why other indexes are not used.
public struct QueryPlan: Sendable {
  /// How the rows of a source are found.
  public enum Access: String, Hashable, Sendable, Codable {
    /// Every document of the collection is read.
    case scan
    /// Documents are looked up by their ids.
    case documentID
    /// A value index is searched.
    case valueIndexSearch
    /// All of a value index is read, in its order.
    case valueIndexScan
    /// The first or the last entry of a value index is read, for MIN and MAX.
    case valueIndexEnd
    /// An index that every collection has is searched: that of the ids, the sequences or the expirations.
    case metadataSearch
    /// The rows that several indexes of different kinds find are put together, for OR.
    case indexUnion
    /// An array index is searched.
    case arrayIndexSearch
    /// A full-text index is searched.
    case fullTextIndex
    /// The values of the collection are put into an index that lives as long as the query runs.
    case temporaryIndex
    /// The elements of an array are walked over.
    case elements
  }

  /// An index that is not used.
  public struct UnusedIndex: Hashable, Sendable, Codable {
    /// The index's name.
    public let name: String
    /// Why it is not used.
    public let reason: String
  }

  /// How one source is read.
  public struct Step: Sendable {
    /// The name of the source in the query.
    public var source: String
    /// The collection that it is; nil for the elements of an array.
    public var collection: String?
    /// How its rows are found.
    public var access: Access
    /// The index that is used.
    public var index: String?
    /// The conditions that the access answers, in SQL++.
    public var served: [String] = []
    /// Whether documents are read. Where an index holds all that the query needs, they are not.
    public var readsDocuments = true
    /// The indexes that predictions are read from, so that no model is asked.
    public var predictionIndexes: [String] = []
    /// The questions to pattern indexes, which leave out rows when the query runs.
    public var probes: [PatternProbe] = []
    /// The indexes of the collection that are not used for this source.
    public var unusedIndexes: [UnusedIndex] = []

    /// A copy whose predictions come from indexes.
    func reading(predictionsFrom indexes: [String]) -> Step {
      var step = self
      step.predictionIndexes = indexes
      step.unusedIndexes.removeAll { indexes.contains($0.name) }
      return step
    }
  }

  /// Whether the first source is read document by document.
  public var readsWholeCollection: Bool { steps.first?.access == .scan }

  /// The sources in the order of the query.
  public var steps: [Step] = []
  /// The conditions that are tested on each row, in SQL++.
  ///
  /// - Complexity: O(n) in their length: they are written each time that they are asked for.
  public var filters: [String] { query.map { filterExpressions.map($0.text) } ?? [] }
  /// What in the query means something else than it seems to.
  public var notes: [String] = []
  /// The query.
  var query: ResolvedQuery?
  /// The conditions of ``filters``.
  var filterExpressions: [QueryExpression] = []
}
