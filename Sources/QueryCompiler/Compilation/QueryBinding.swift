/// A value that a compiled statement takes when it runs, in the order of its parameters.
public enum QueryBinding: Hashable, Sendable {
  /// How the value of a parameter of the query goes into SQL.
  public enum Form: Hashable, Sendable {
    case exact, sortKey
  }

  /// What a full-text query is read from.
  public enum MatchText: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  /// A number that SQL text does not hold exactly.
  case double(Double)
  /// A parameter of the query.
  case parameter(String, Form)
  /// The matches of a full-text query of the index with this id of the collection's full-text indexes, for
  /// `concordance_hits` and `concordance_matches`.
  case match(MatchText, index: Int64)
  /// The rows that are handed to the statement when it runs, for `concordance_hits`.
  case givenRows
  /// A number that no other run of a statement has.
  case predictionRun
}
