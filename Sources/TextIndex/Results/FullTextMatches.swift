public import GRDB
import Synchronization

/// The documents that a full-text query matches, in the state of the index that a transaction sees: ranked, a few or all,
/// restricted to some, counted, explained.
///
/// ```swift
/// let matches = try query.matches(db)
/// let page = matches.best(10)
/// let cheap = matches.best(10, among: rowsOfCheapOnes)
/// ```
///
/// What is needed of the index is read when it is made; nothing is read later, so it may be used while other statements run.
public final class FullTextMatches: Sendable {
  private enum Source {
    case doclists(MatchSearch, ResolvedRanking)
    case rows(MatchedRows)
  }

  private let source: Source
  private let query: FullTextQuery?
  /// Rows that are not to be found, in order.
  private let excluded: [UInt32]
  private let found: Mutex<(scored: MatchedRows?, unscored: MatchedRows?)>
  /// The best that were asked for last.
  private let lastBest = Mutex<(limit: Int, rows: [RankedRow])>((0, []))

  fileprivate init(
    _ search: MatchSearch, _ ranking: ResolvedRanking, _ query: FullTextQuery, excluding excluded: [UInt32]
  ) {
    source = .doclists(search, ranking)
    self.query = query
    self.excluded = excluded
    found = Mutex((nil, nil))
  }

  /// Rows that were found elsewhere, in their order, and their scores, or none.
  public init(_ rows: MatchedRows) {
    source = .rows(rows)
    query = nil
    excluded = []
    found = Mutex((rows, rows))
  }

  /// All matches, scored.
  ///
  /// - Complexity: O(m) in their number the first time.
  public var all: MatchedRows {
    if let known = found.withLock({ $0.scored }) { return known }
    guard case .doclists(let search, let ranking) = source else { return MatchedRows(rows: []) }
    let all = without(search.all(ranking))
    found.withLock { $0.scored = all }
    return all
  }

  /// All matches; they need not be scored.
  ///
  /// - Complexity: O(m) in their number the first time.
  public var unscored: MatchedRows {
    if let known = found.withLock({ $0.scored ?? $0.unscored }) { return known }
    guard case .doclists(let search, _) = source else { return MatchedRows(rows: []) }
    let all = without(search.all(nil))
    found.withLock { $0.unscored = all }
    return all
  }

  /// All matches among some rows, which are in order, scored.
  public func all(among rows: [Int64]) -> MatchedRows {
    switch source {
    case .doclists(let search, let ranking):
      without(search.all(ranking, among: rows.compactMap { UInt32(exactly: $0) }))
    case .rows(let all): all.filtered(among: rows)
    }
  }

  /// The best matches, best first; those of equal score in the order of their rows.
  ///
  /// - Complexity: for a word, AND and OR, only what can be among the best is scored.
  public func best(_ limit: Int) -> [RankedRow] {
    switch source {
    case .doclists(let search, let ranking):
      let known = lastBest.withLock { $0 }
      if known.limit >= limit { return Array(known.rows.prefix(limit)) }
      let rows = search.ranked(limit: limit, ranking, excluding: excluded)
      lastBest.withLock { $0 = (limit, rows) }
      return rows
    case .rows(let rows): return rows.best(limit)
    }
  }

  /// The best matches among some rows, which are in order.
  ///
  /// - Complexity: O(r log m) in the number of these rows.
  public func best(_ limit: Int, among rows: [Int64]) -> [RankedRow] {
    switch source {
    case .doclists(let search, let ranking):
      search.ranked(
        limit: limit, ranking, excluding: excluded, among: rows.compactMap { UInt32(exactly: $0) })
    case .rows(let all): all.filtered(among: rows).best(limit)
    }
  }

  /// How many documents match; none is scored.
  public var count: Int {
    switch source {
    case .doclists(let search, _): search.count(excluding: excluded)
    case .rows(let rows): rows.count
    }
  }

  /// How many postings are looked at to count the matches: 0 where their number is known.
  public var countingCost: Int {
    if case .doclists(let search, _) = source { search.countingCost } else { 0 }
  }

  /// A number that there are not more matches than. O(1).
  public var upperBound: Int {
    switch source {
    case .doclists(let search, _): search.node.upperBound
    case .rows(let rows): rows.count
    }
  }

  /// How the score of a match came about; nil where FTS5 computed it, which does not tell.
  public func explanation(ofRow rowID: Int64) -> ScoreExplanation? {
    guard case .doclists(let search, let ranking) = source, let query, let row = UInt32(exactly: rowID) else {
      return nil
    }
    return ScoreExplainer(index: query.index, scorer: search.state.scorer(ranking), row: row)
      .explain(query.match, search.node)
  }

  private func without(_ found: RowScores) -> MatchedRows {
    let all = MatchedRows(rows: found.rows.map { Int64($0) }, scores: found.scores)
    return excluded.isEmpty ? all : all.filtered { !excluded.containsSorted(UInt32(truncatingIfNeeded: $0)) }
  }
}

extension FullTextQuery {
  /// Looks up what the query needs.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction.
  ///   - ranking: how matches are scored; nil for the way of the index's definition.
  ///   - excluded: SQL that selects rows which are not to be found, or nil.
  /// - Throws: ``TextIndexError`` for an unknown field, for a number of the ranking that is out of its range, and for an index
  ///   that is damaged.
  /// - Complexity: O(m) in the number of documents with the terms when their doclists are read for the first time.
  public func matches(
    _ db: Database, ranking: Ranking? = nil, excluding excluded: String? = nil
  ) throws -> FullTextMatches {
    let resolved = try ResolvedRanking(ranking ?? defaultRanking, for: index)
    guard !isEmpty else { return FullTextMatches(MatchedRows(rows: [])) }
    let rows = try FullTextQuery.rows(excluded, db)
    let search = try index.readingDoclists { try MatchSearch(match, in: index, db) }
    if let search { return FullTextMatches(search, resolved, self, excluding: rows) }
    let hits = try FTS5FallbackSearch(self).all(db, resolved)
    return FullTextMatches(
      MatchedRows(rows: hits.map(\.rowID), scores: hits.map(\.score)).filtered { row in
        UInt32(exactly: row).map { !rows.containsSorted($0) } ?? true
      })
  }
}
