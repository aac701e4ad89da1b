import TextIndex

/// Caches the matches of the candidate queries of a search, so that the matches of the chosen query are not computed
/// twice.
///
/// Valid within one transaction.
final class MatchCache {
  private typealias Known = (query: FullTextQuery, matches: MatchSet, filtered: FilteredMatches?)

  private let request: SearchRequest
  private let reader: IndexReader
  /// The filters of the search; nil for none.
  let filter: HitFilter?
  private let reading: SearchTransaction
  private var known: [Known] = []

  init(
    _ request: SearchRequest, _ reader: IndexReader, filteredBy filter: HitFilter?,
    _ reading: SearchTransaction
  ) {
    self.request = request
    self.reader = reader
    self.filter = filter
    self.reading = reading
  }

  /// Returns the matches of a query, and those that pass the filters; nil if there are no filters.
  ///
  /// - Parameter excluded: rows that do not match; the same for all queries.
  func matches(
    of query: FullTextQuery, excluding excluded: [Int64]
  ) throws -> (matches: MatchSet, filtered: FilteredMatches?) {
    if let found = known.first(where: { $0.query == query }) { return (found.matches, found.filtered) }
    let matches = try query.matches(reader, ranking: request.ranking(for: query), excluding: excluded)
    let filtered = filter.map { FilteredMatches(matches: matches, filter: $0, reading: reading) }
    known.append((query, matches, filtered))
    return (matches, filtered)
  }

  /// Returns all documents as matches, and those that pass the filters; nil if there are no filters.
  ///
  /// - Parameter rows: the rows of the documents, in order.
  func matches(browsing rows: [Int64]) -> (matches: MatchSet, filtered: FilteredMatches?) {
    let matches = MatchSet(MatchedRows(rows: rows))
    return (matches, filter.map { FilteredMatches(matches: matches, filter: $0, reading: reading) })
  }

  /// Returns the number of matches that pass the filters. Counting may stop at a limit.
  ///
  /// Counting also finds the hits for the page, because the search usually goes on to use the query that it counted.
  func count(_ query: FullTextQuery, limit: Int, excluding excluded: [Int64]) throws -> Int {
    let (matches, filtered) = try matches(of: query, excluding: excluded)
    let limit = max(limit, request.neededCount)
    return try filtered?.best(limit, counting: request.counting == .exact).rows.count ?? matches.best(limit).count
  }
}

extension SearchRequest {
  /// The number of top hits that must be found for the page: those that it skips and those that it contains.
  var neededCount: Int {
    let (needed, overflows) = limit.addingReportingOverflow(offset)
    return overflows ? .max : needed
  }
}
