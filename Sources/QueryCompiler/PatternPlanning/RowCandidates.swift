import TrigramIndex

/// What is known of the rows for which a condition may be true, before any document is read.
public indirect enum RowCandidates: Sendable {
  /// The rows that a pattern index finds.
  case pattern(PatternProbe)
  /// The rows that SQL selects from other indexes, with the parameters of the query.
  case rows(String)
  /// The rows that SQL selects from other indexes of a collection, of use only where they are few: the matches of a full-text
  /// query are read by their rank otherwise.
  case few(String, collection: Int64)
  /// The rows that each of these finds.
  case all([RowCandidates])
  /// The rows that one of these finds.
  case any([RowCandidates])

  /// The questions to pattern indexes.
  public var probes: [PatternProbe] {
    switch self {
    case .pattern(let probe): [probe]
    case .rows, .few: []
    case .all(let parts), .any(let parts): parts.flatMap(\.probes)
    }
  }

  /// The collection that the rows are of; nil where no index needs to be asked.
  public var collection: Int64? {
    if case .few(_, let collection) = self { collection } else { probes.first?.index.collection }
  }
}
