public import JSONText

/// A value that is bound to a parameter of a compiled statement when it runs.
public enum QueryBinding: Hashable, Sendable {
  /// The encoding in which a query parameter is bound.
  public enum Form: Hashable, Sendable {
    case exact, sortKey
  }

  /// The source of the text of a full-text query.
  public enum MatchText: Hashable, Sendable {
    case literal(String)
    case parameter(ExactString)
  }

  /// A number that SQL text cannot represent exactly.
  case double(Double)
  /// A parameter of the query.
  case parameter(ExactString, Form)
  /// The matches of a full-text query in the full-text index with this id, for `concordance_hits` and
  /// `concordance_matches`.
  case match(MatchText, index: Int64)
  /// Rows that the caller passes to the statement when it runs, for `concordance_hits`.
  case givenRows
  /// A number that is unique to this run of the statement.
  case predictionRun
}
