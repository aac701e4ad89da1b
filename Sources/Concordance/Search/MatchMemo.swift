import TextIndex

/// A cache of the matches of the queries that a search considers before it chooses one, so that the matches of the
/// chosen query are not computed twice.
///
/// Valid within one transaction.
final class MatchMemo {
  private typealias Known = (query: FullTextQuery, matches: MatchSet, filtered: FilteredMatches?)

  private let request: SearchRequest
  /// The filters of the search; nil for none.
  let narrowing: SearchNarrowing?
  private let reading: SearchTransaction
  private var known: [Known] = []

  init(_ request: SearchRequest, narrowedBy narrowing: SearchNarrowing?, _ reading: SearchTransaction) {
    self.request = request
    self.narrowing = narrowing
    self.reading = reading
  }

  /// The documents that a query matches, and of these the ones that are wanted; nil for all.
  ///
  /// - Parameter excluded: rows that do not match; the same for all queries.
  func matches(
    of query: FullTextQuery, excluding excluded: [Int64]
  ) throws -> (matches: MatchSet, filtered: FilteredMatches?) {
    if let found = known.first(where: { $0.query == query }) { return (found.matches, found.filtered) }
    let matches = try query.matches(reading.db, ranking: request.ranking(for: query), excluding: excluded)
    let filtered = narrowing.map { FilteredMatches(matches: matches, narrowing: $0, reading: reading) }
    known.append((query, matches, filtered))
    return (matches, filtered)
  }

  /// All documents, and of these the ones that are wanted; nil for all.
  ///
  /// - Parameter rows: the rows of the documents, in order.
  func matches(browsing rows: [Int64]) -> (matches: MatchSet, filtered: FilteredMatches?) {
    let matches = MatchSet(MatchedRows(rows: rows))
    return (matches, narrowing.map { FilteredMatches(matches: matches, narrowing: $0, reading: reading) })
  }

  /// The number of matches that pass the filters. Counting may stop at a limit.
  ///
  /// It also finds the hits of the page, because most queries that are counted are chosen.
  func count(_ query: FullTextQuery, limit: Int, excluding excluded: [Int64]) throws -> Int {
    let (matches, filtered) = try matches(of: query, excluding: excluded)
    let limit = max(limit, request.neededCount)
    return try filtered?.best(limit, counting: request.counting == .exact).rows.count ?? matches.best(limit).count
  }
}

extension SearchRequest {
  /// The number of best hits that the page needs.
  var neededCount: Int {
    let (needed, overflows) = limit.addingReportingOverflow(offset)
    return overflows ? .max : needed
  }
}
