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

  /// What a full-text query becomes.
  public enum MatchForm: Hashable, Sendable {
    /// An expression of FTS5.
    case expression
    /// The rows that match, for `concordance_hits`.
    case rows
    /// The same with their scores.
    case scoredRows
    /// So many of the best rows with their scores, without those that this SQL selects.
    case bestRows(count: Int, excluding: String)
  }

  /// A number that SQL text does not hold exactly.
  case double(Double)
  /// A parameter of the query.
  case parameter(String, Form)
  /// A full-text query of the index with this id of the collection's full-text indexes.
  case match(MatchText, index: Int64, MatchForm)
}
