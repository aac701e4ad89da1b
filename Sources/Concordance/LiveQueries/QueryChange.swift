/// A new result of a live query; see ``Query/addChangeListener(_:)``. Either ``results`` or ``error`` is nil.
public struct QueryChange: Sendable {
  /// The query.
  public let query: Query
  /// The rows. Each listener has its own set, so that it can iterate over it.
  public let results: ResultSet?
  /// The error of the run. The query runs again after the next change.
  public let error: (any Error)?
}

/// A new result of a live query and its difference from the previous result; see
/// ``Query/differences(identifiedBy:minimumInterval:maximumRowCount:)``.
public struct QueryDifference: Sendable {
  /// The rows.
  public let results: QueryResults
  /// The difference from the previous element of the sequence. In the first element all rows are insertions.
  public let difference: ListDifference
}

/// A new result of a live search and its difference from the previous result; see
/// ``Collection/searchDifferences(_:minimumInterval:)``.
public struct SearchDifference: Sendable {
  /// The result.
  public let results: SearchResults
  /// The difference between these hits and those of the previous element of the sequence. In the first element all hits
  /// are insertions.
  public let difference: ListDifference
}
