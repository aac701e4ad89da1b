import TrigramIndex

/// The rows for which a condition may be true, found in indexes before any document is read.
public indirect enum RowCandidates: Sendable {
  /// The rows that a pattern index finds.
  case pattern(PatternProbe)
  /// The rows that SQL selects from other indexes, with the parameters of the query.
  case rows(String)
  /// The rows that SQL selects from other indexes of a collection. They are used only if there are few of them;
  /// otherwise the matches of the full-text query are read in the order of their rank.
  case few(String, collection: Int64)
  /// The intersection of these candidates.
  case all([RowCandidates])
  /// The union of these candidates.
  case any([RowCandidates])

  /// The lookups in pattern indexes.
  public var probes: [PatternProbe] {
    switch self {
    case .pattern(let probe): [probe]
    case .rows, .few: []
    case .all(let parts), .any(let parts): parts.flatMap(\.probes)
    }
  }

  /// The collection of the rows; nil if no index is searched.
  public var collection: Int64? {
    if case .few(_, let collection) = self { collection } else { probes.first?.index.collection }
  }
}
