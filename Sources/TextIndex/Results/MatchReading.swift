import DocumentStore

/// Finds the matches of a ``MatchSet``: with score bounds if that is faster, otherwise with postings in memory or, if
/// the store cannot read the index, with a slower fallback that does not use postings.
///
/// All methods except ``all(isScored:)`` return nil if the store cannot read the index.
final class MatchReading {
  private let query: FullTextQuery
  private let ranking: ResolvedRanking
  /// Rows to exclude from the matches, ascending.
  private let excluded: [UInt32]
  /// The store; nil if it cannot read the index.
  private var store: (any PostingStore)?
  private let reader: IndexReader
  private var knownSearch: MatchSearch?
  /// The result of ``bounded()``, and whether it was computed.
  private var knownBounded: (search: BoundedSearch?, isKnown: Bool) = (nil, false)

  /// - Parameter excluded: the rows to exclude from the matches, ascending.
  init(
    _ query: FullTextQuery, _ ranking: ResolvedRanking, excluding excluded: [UInt32], _ reader: IndexReader
  ) throws {
    self.query = query
    self.ranking = ranking
    self.excluded = excluded
    self.reader = reader
    store = try reader.postingStore()
  }

  /// Returns the search with all postings of the query in memory. The first call reads them.
  func search() throws -> MatchSearch? {
    if let knownSearch { return knownSearch }
    knownSearch = try reading { store in
      if store.readsTermsTogether { try store.prepare(query.match.expectedTerms, readingPostings: true) }
      return try MatchSearch(query.match, windows: windows, store).prepared(for: ranking)
    }
    return knownSearch
  }

  /// Returns all matches in row order.
  func all(isScored: Bool) throws -> MatchedRows {
    if let search = try search() { return try withoutExcluded(search.all(isScored ? ranking : nil)) }
    return try reader.matchesWithoutPostings(query, isScored ? ranking : nil).filtered { row in
      UInt32(exactly: row).map { !excluded.containsSorted($0) } ?? true
    }
  }

  func all(among rows: [Int64]) throws -> MatchedRows? {
    try search().map { try withoutExcluded($0.all(ranking, among: rows.compactMap { UInt32(exactly: $0) })) }
  }

  func best(_ limit: Int) throws -> [RankedRow]? {
    if let bounded = try bounded(),
      let found = try reading({ _ in try bounded.ranked(limit: limit, excluding: excluded) }) ?? nil
    {
      return found
    }
    let found = try search()?.ranked(limit: limit, ranking, excluding: excluded)
    // The search may have ended early.
    try LongCall.check()
    return found
  }

  func best(_ limit: Int, among rows: [Int64]) throws -> [RankedRow]? {
    let found = try search()?.ranked(
      limit: limit, ranking, excluding: excluded, among: rows.compactMap { UInt32(exactly: $0) })
    try LongCall.check()
    return found
  }

  func count() throws -> Int? {
    if knownSearch == nil, excluded.isEmpty, let word = query.match.word {
      return try reading { try $0.documentFrequency(word.term) }
    }
    let count = try search()?.count(excluding: excluded)
    try LongCall.check()
    return count
  }

  func countingCost() throws -> Int? {
    if query.match.word != nil { return 0 }
    guard let frequencies = try bounded()?.documentFrequencies else { return try search()?.countingCost }
    return frequencies.reduce(0, +)
  }

  func upperBound() throws -> Int? {
    guard let bounded = try bounded() else { return try search()?.node.upperBound }
    let frequencies = bounded.documentFrequencies
    return bounded.needsAll ? frequencies.min() ?? 0 : frequencies.reduce(0, +)
  }

  func explanation(ofRow rowID: Int64) throws -> ScoreExplanation? {
    guard let row = UInt32(exactly: rowID), let search = try search() else { return nil }
    return ScoreExplainer(
      index: query.index, scorer: search.state.scorer(ranking), queryWeight: search.queryWeight, row: row
    ).explain(query.match, search)
  }

  private var windows: DependenceWindows? {
    ranking.model.dependence.map {
      DependenceWindows(dependence: $0, source: query.windowSource, weight: query.windowWeight)
    }
  }

  /// Returns the search that uses the score bounds in the index; nil if it would not be faster, or if all postings are
  /// already in memory.
  private func bounded() throws -> BoundedSearch? {
    guard knownSearch == nil else { return nil }
    if !knownBounded.isKnown {
      let search = try reading { store in
        if store.readsTermsTogether { try store.prepare(query.match.expectedTerms, readingPostings: false) }
        return try BoundedSearch(query.match, ranking, store)
      }
      knownBounded = (search ?? nil, true)
    }
    return knownBounded.search
  }

  /// Calls `body` with the store; returns nil if it cannot read the index.
  private func reading<T>(_ body: (any PostingStore) throws -> T) throws -> T? {
    guard let store else { return nil }
    let result = try query.index.readingPostings { try body(store) }
    if result == nil { self.store = nil }
    return result
  }

  private func withoutExcluded(_ found: RowScores) throws -> MatchedRows {
    // The search may have ended early.
    try LongCall.check()
    let all = MatchedRows(rows: found.rows.map { Int64($0) }, scores: found.scores)
    return excluded.isEmpty ? all : all.filtered { !excluded.containsSorted(UInt32(truncatingIfNeeded: $0)) }
  }
}
