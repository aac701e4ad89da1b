import DocumentStore
import GRDB
import QueryCompiler
import TextIndex

/// Finds, filters, sorts and counts the rows of a search and computes its facets, in one transaction.
final class SearchRun {
  /// The result of the run.
  struct Found {
    var rows: [RankedRow] = []
    var total = SearchTotal.exact(0)
    var facets: [Facet] = []
  }

  private let request: SearchRequest
  private let matches: MatchSet
  private let condition: SearchCondition?
  /// Whether all documents of the collection are matches.
  private let readsAllDocuments: Bool
  private let reading: SearchTransaction
  private let compiler: SearchCompiler
  /// The matches that satisfy the condition; nil without a condition.
  private let filtered: FilteredMatches?
  /// The number of best matches to sort; nil for all.
  private let sortedCount: Int?
  /// The rows of the files that the query names, closest first, followed by those of the files that define the name
  /// that was searched for, best first.
  private let namedRows: [Int64]

  init(
    _ request: SearchRequest, _ search: PreparedSearch, _ condition: SearchCondition?, _ compiler: SearchCompiler,
    _ reading: SearchTransaction
  ) throws {
    var request = request
    if search.matchesAllDocuments { request.sort = request.sort ?? "META().id" }
    // A query without words has no best hits.
    let needsAllWords =
      search.matchesAllDocuments || request.like == nil && request.feedback == nil && !search.matchesAnyWord
    sortedCount = request.sort == nil || needsAllWords ? nil : SearchRequest.sortedCount
    self.request = request
    self.condition = condition
    readsAllDocuments = search.matchesAllDocuments
    let (matches, wanted) = try search.matches()
    self.matches = matches
    // With selections, facets also count documents that do not pass them.
    filtered =
      request.selections.isEmpty
      ? wanted
      : HitFilter(condition).map { FilteredMatches(matches: matches, filter: $0, reading: reading) }
    self.reading = reading
    self.compiler = compiler
    guard request.sort == nil, request.feedback == nil else {
      namedRows = []
      return
    }
    let paths =
      try search.pathQuery?.rows(in: search.indexReader, of: DocumentReader(compiler.record, reading.db)) ?? []
    let definitions = search.definingRows.filter { !paths.contains($0) }
    // Most queries do not name a definition.
    namedRows =
      definitions.isEmpty ? paths : try paths + matches.best(definitions.count, among: definitions).map(\.rowID)
  }

  /// The number of postings up to which matches are always counted. Counting them takes a fraction of a millisecond.
  private static let maximumCountingCost = 100_000

  /// Returns the hits of the page, the number of matches, and the facets.
  func found() throws -> Found {
    if let plan = try FacetPlan(request) { return try found(plan) }
    if request.sort != nil {
      let rows = try filtered?.rows()
      return try page(among: rows, total: rows?.count)
    }
    guard let filtered else { return try page(among: nil, total: nil) }
    let (best, total) = try filtered.best(request.neededCount, counting: request.counting == .exact)
    let rows = try namedFirst(best, request.neededCount) { try filtered.rows(among: $0) }
    return Found(rows: Array(rows.dropFirst(request.offset)), total: total)
  }

  /// The number of matching documents.
  func count() throws -> Int {
    let rows = try filtered?.rows()
    guard let plan = try FacetPlan(request), !request.selections.isEmpty else {
      return try rows?.count ?? matches.count
    }
    return try selected(plan, rows ?? matches.rows().rows).rows.count
  }

  /// The score explanation of a hit.
  func explanation(of row: RankedRow) throws -> ScoreExplanation? {
    try matches.explanation(ofRow: row.rowID)
  }

  /// Returns what the search reads from the server.
  func serverReading() throws -> ServerReading {
    var reading = try condition?.serverReading(reading.db) ?? ServerReading(nil, notes: [])
    if readsAllDocuments { reading.notes.append("the query has no words, so the rows of all documents are listed") }
    return reading
  }

  private func found(_ plan: FacetPlan) throws -> Found {
    let candidates = try filtered?.rows() ?? matches.rows().rows
    let (rows, facetResults) = try selected(plan, candidates)
    let isRestricted = filtered != nil || !request.selections.isEmpty
    var found = try page(among: isRestricted ? rows : nil, total: rows.count)
    found.facets = plan.facets(facetResults)
    return found
  }

  private func selected(_ plan: FacetPlan, _ rows: [Int64]) throws -> (rows: [Int64], facetResults: [FacetResult]) {
    try FacetCollector(plan.properties, of: compiler.schema)
      .run(over: rows, reading.db, reading.readerPool(forDocuments: rows.count))
  }

  /// Returns the page of the matches among `rows`, or of all matches if it is nil.
  ///
  /// - Parameter total: the number of matches, if it is known.
  private func page(among rows: [Int64]?, total: Int?) throws -> Found {
    var found = Found()
    if let sort = request.sort {
      let wanted = try sorted(among: rows)
      found.rows = try compiler.sorted(wanted, by: sort, limit: request.limit, offset: request.offset, reading.db)
      // The number of sorted matches is limited, so it does not determine the total.
      if let sortedCount, try wanted.count == sortedCount {
        found.total = try total.map { .exact($0) } ?? self.total(atLeast: sortedCount)
        return found
      }
    } else {
      let best = try best(request.neededCount, among: rows)
      found.rows = Array(best.dropFirst(request.offset))
    }
    found.total = try total.map { .exact($0) } ?? self.total(after: found.rows.count)
    return found
  }

  /// The rows to sort: all matches, the matches among given rows, or the best matches.
  private func sorted(among rows: [Int64]?) throws -> MatchSet {
    guard let sortedCount else {
      return try rows.map { MatchSet(try matches.scoredRows(among: $0)) } ?? matches
    }
    let inOrder = try best(sortedCount, among: rows).sorted { $0.rowID < $1.rowID }
    return MatchSet(MatchedRows(rows: inOrder.map(\.rowID), scores: inOrder.map(\.score)))
  }

  private func best(_ limit: Int, among rows: [Int64]?) throws -> [RankedRow] {
    guard let rows else { return try namedFirst(matches.best(limit), limit) { $0 } }
    return try namedFirst(matches.best(limit, among: rows), limit) { named in
      let wanted = Set(rows)
      return named.filter { wanted.contains($0) }
    }
  }

  /// The best hits. Files that the query names come first, then those that define the name.
  ///
  /// - Parameter filter: returns the rows among given sorted rows that pass the filters.
  private func namedFirst(
    _ best: [RankedRow], _ limit: Int, _ filter: ([Int64]) throws -> [Int64]
  ) throws -> [RankedRow] {
    guard !namedRows.isEmpty, limit > 0 else { return best }
    let wanted = try filter(namedRows.sorted())
    let matching = try matches.best(wanted.count, among: wanted)
    let byRow = Dictionary(uniqueKeysWithValues: matching.map { ($0.rowID, $0) })
    let named = namedRows.compactMap { byRow[$0] }
    return Array((named + best.filter { byRow[$0.rowID] == nil }).prefix(limit))
  }

  /// Returns the total after a page with `shown` hits was found.
  private func total(after shown: Int) throws -> SearchTotal {
    if shown < request.limit, shown > 0 { return .exact(request.offset + shown) }
    // An empty page shows only that there are no more matches than skipped rows.
    if shown == 0, request.limit > 0 { return .exact(try matches.count) }
    return try total(atLeast: shown > 0 ? request.offset + shown : 0)
  }

  /// Returns the total, which is counted if that is requested or cheap.
  private func total(atLeast known: Int) throws -> SearchTotal {
    let isCounted = try request.counting == .exact || matches.countingCost <= SearchRun.maximumCountingCost
    return isCounted ? .exact(try matches.count) : .atLeast(known)
  }
}
