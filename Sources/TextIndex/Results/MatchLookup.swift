public import GRDB

/// The documents that a full-text query matches, looked up as far as they are asked for: the best of them by the bounds that are kept
/// with the index, see ``DoclistBounds``, and the others only then.
///
/// ```swift
/// let lookup = try query.lookup(db)
/// let page = try lookup.best(10)
/// ```
///
/// It belongs to a transaction, and reads in it. ``FullTextMatches`` have read everything when they are made.
public final class MatchLookup {
  /// Nil where the rows were given.
  private let query: FullTextQuery?
  private let ranking: Ranking?
  private let excludedSQL: String?
  private let db: Database
  private let bounded: BoundedSearch?
  /// Rows that are not to be found, in order.
  private let excluded: [UInt32]
  private var known: FullTextMatches?
  private var lastBest: (limit: Int, rows: [RankedRow])?

  fileprivate init(_ query: FullTextQuery, _ ranking: Ranking?, excluding excluded: String?, _ db: Database) throws {
    self.query = query
    self.ranking = ranking
    self.db = db
    excludedSQL = excluded
    self.excluded = try FullTextQuery.rows(excluded, db)
    bounded = try query.boundedSearch(db, ranking)
  }

  /// Rows that were found elsewhere, in their order.
  public init(_ rows: MatchedRows, _ db: Database) {
    (query, ranking, excludedSQL, bounded, excluded) = (nil, nil, nil, nil, [])
    known = FullTextMatches(rows)
    self.db = db
  }

  /// All of them.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  /// - Complexity: O(m) in the number of documents with the terms when their doclists are read for the first time.
  public func all() throws -> FullTextMatches {
    if let known { return known }
    let matches =
      try query?.matches(db, ranking: ranking, excluding: excludedSQL) ?? FullTextMatches(MatchedRows(rows: []))
    known = matches
    return matches
  }

  /// The best matches, best first; those of equal score in the order of their rows.
  ///
  /// - Throws: as ``all()``.
  public func best(_ limit: Int) throws -> [RankedRow] {
    if known == nil, let bounded {
      if let lastBest, lastBest.limit >= limit { return Array(lastBest.rows.prefix(limit)) }
      if let rows = try bounded.ranked(limit: limit, excluding: excluded) {
        lastBest = (limit, rows)
        return rows
      }
    }
    return try all().best(limit)
  }

  /// How many documents match; none is scored.
  ///
  /// - Throws: as ``all()``.
  public var count: Int {
    get throws {
      if known == nil, excluded.isEmpty, let frequencies = bounded?.documentFrequencies, frequencies.count == 1 {
        return frequencies[0]
      }
      return try all().count
    }
  }

  /// How many postings are looked at to count the matches: 0 where their number is known.
  ///
  /// - Throws: as ``all()``.
  public var countingCost: Int {
    get throws {
      guard known == nil, let bounded else { return try all().countingCost }
      let frequencies = bounded.documentFrequencies
      return frequencies.count == 1 ? 0 : frequencies.reduce(0, +)
    }
  }

  /// A number that there are not more matches than.
  ///
  /// - Throws: as ``all()``.
  public var upperBound: Int {
    get throws {
      guard known == nil, let bounded else { return try all().upperBound }
      let frequencies = bounded.documentFrequencies
      return bounded.needsAll ? frequencies.min() ?? 0 : frequencies.reduce(0, +)
    }
  }
}

extension FullTextQuery {
  /// What the query matches, to be looked up as far as it is asked for.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction, in which alone it is used.
  ///   - ranking: how matches are scored; nil for the way of the index's definition.
  ///   - excluded: SQL that selects rows which are not to be found, or nil.
  /// - Throws: as ``matches(_:ranking:excluding:)``.
  public func lookup(
    _ db: Database, ranking: Ranking? = nil, excluding excluded: String? = nil
  ) throws -> MatchLookup {
    try MatchLookup(self, ranking, excluding: excluded, db)
  }

  /// The search by the bounds that are kept with the index; nil where it is of no use.
  fileprivate func boundedSearch(_ db: Database, _ ranking: Ranking?) throws -> BoundedSearch? {
    let ranking = try ResolvedRanking(ranking ?? defaultRanking, for: index)
    guard !isEmpty else { return nil }
    return try index.readingDoclists { try BoundedSearch(match, ranking, PostingsReader(index, db)) } ?? nil
  }
}
