import DocumentStore
import GRDB
import QueryCompiler
import TextIndex

/// The matches of a search that pass its filters.
///
/// There are two strategies. If indexes find few rows that pass the filters, only these rows are looked up in the
/// posting lists. Otherwise, increasing numbers of the best matches are tested until enough of them pass. The numbers
/// of rows determine the strategy.
///
/// Results are cached, because a search counts its matches before it reads the page. Valid within one transaction.
final class FilteredMatches {
  typealias Best = (rows: [RankedRow], total: SearchTotal)

  private let matches: MatchSet
  private let filter: HitFilter
  private let reading: SearchTransaction
  private var knownBest: (limit: Int, isExact: Bool, best: Best)?
  private var knownRows: [Int64]?

  init(matches: MatchSet, filter: HitFilter, reading: SearchTransaction) {
    self.matches = matches
    self.filter = filter
    self.reading = reading
  }

  /// The number of matches up to which all of them are tested in one pass.
  private static let fewMatches = 256
  /// The maximum number of rows to read from an index. Reading more takes longer than testing the best matches.
  private static let maximumIndexRows = 8192
  /// The number of best matches to test first, and the growth factor if they do not fill the page.
  private static let firstTest = 64
  private static let growth = 4

  /// Returns the best of the filtered matches, best first, and their number.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of matches.
  ///   - counting: whether their number must be exact.
  func best(_ limit: Int, counting: Bool) throws -> Best {
    if let known = knownBest, known.limit >= limit, known.isExact || !counting {
      return (Array(known.best.rows.prefix(limit)), known.best.total)
    }
    let best = try findBest(limit, counting: counting)
    knownBest = (limit, counting, best)
    return best
  }

  private func findBest(_ limit: Int, counting: Bool) throws -> Best {
    let bound = try matches.upperBound
    if counting || bound <= FilteredMatches.fewMatches { return try bestAmongAll(limit) }
    func indexedRows() throws -> [Int64]? {
      try filter.indexedRows(limit: min(FilteredMatches.maximumIndexRows, bound), matches, reading)
    }
    // Candidates of a pattern index must be tested individually. If many documents satisfy the condition, as for
    // `type:py`, the first few of the best matches fill the page.
    let testsBestFirst = filter.testsCandidates
    if !testsBestFirst, let rows = try indexedRows() { return try best(limit, among: rows) }
    var size = max(FilteredMatches.firstTest, min(limit, bound) * 2)
    var tested = 0
    var found: [RankedRow] = []
    while size < bound / 4, found.count < limit {
      try Interruption.check()
      let best = try matches.best(size)
      let new = best[min(tested, best.count)...]
      let passing = Set(try filter.rows(among: new.map(\.rowID).sorted(), reading))
      found += new.filter { passing.contains($0.rowID) }
      tested = best.count
      if best.count < size { return (Array(found.prefix(limit)), .exact(found.count)) }
      size *= FilteredMatches.growth
      if testsBestFirst { break }
    }
    guard found.count < limit else { return (Array(found.prefix(limit)), .atLeast(found.count)) }
    if testsBestFirst, let rows = try indexedRows() { return try best(limit, among: rows) }
    return try bestAmongAll(limit)
  }

  /// The rows of all filtered matches, in order.
  func rows() throws -> [Int64] {
    if let knownRows { return knownRows }
    let rows = try findRows()
    knownRows = rows
    return rows
  }

  /// Returns the sorted `rows` that pass the filters.
  func rows(among rows: [Int64]) throws -> [Int64] { try filter.rows(among: rows, reading) }

  private func findRows() throws -> [Int64] {
    // Reading an index is several times faster than reading documents.
    let bound = try matches.upperBound
    if bound > FilteredMatches.fewMatches,
      let rows = try filter.indexedRows(limit: bound * 4, matches, reading)
    {
      return try matches.rows().filtered(among: rows).rows
    }
    return try filter.rows(among: matches.rows().rows, reading)
  }

  private func bestAmongAll(_ limit: Int) throws -> Best { try best(limit, among: rows()) }

  /// Returns the best matches among rows that pass the filters, and the number of these matches.
  private func best(_ limit: Int, among rows: [Int64]) throws -> Best {
    let all = try matches.scoredRows(among: rows)
    return (try matches.best(limit, among: all.rows), .exact(all.count))
  }
}
