/// The documents that match a full-text query, computed on demand: the top k, all, some, or only their number.
///
/// ```swift
/// let matches = try query.matches(db)
/// let page = try matches.best(10)
/// let cheap = try matches.best(10, among: rowsOfCheapOnes)
/// ```
///
/// Results are cached. A set reads in the transaction in which it was created; it must not be used after the
/// transaction has changed the index, unless ``load()`` was called before the change.
public final class MatchSet {
  /// Finds the matches; nil if the rows were found elsewhere.
  private let reading: MatchReading?
  private var scored: MatchedRows?
  private var unscored: MatchedRows?
  private var lastBest: (limit: Int, rows: [RankedRow])?

  /// Creates a set that finds matches on demand.
  init(_ reading: MatchReading) { self.reading = reading }

  /// Creates a set of rows that were found elsewhere.
  ///
  /// - Parameter rows: the rows.
  public init(_ rows: MatchedRows) {
    reading = nil
    (scored, unscored) = (rows, rows)
  }

  /// Reads the postings of all terms, so that the set can be used while the index changes.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  public func load() throws {
    if try reading?.search() == nil { _ = try scoredRows() }
  }

  /// Returns all matches in row order, scored.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: O(m) in the number of matches the first time.
  public func scoredRows() throws -> MatchedRows {
    if let scored { return scored }
    let rows = try reading?.all(isScored: true) ?? MatchedRows(rows: [])
    (scored, unscored) = (rows, rows)
    return rows
  }

  /// Returns all matches in row order. They are scored only if they were scored before.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: O(m) in the number of matches the first time.
  public func rows() throws -> MatchedRows {
    if let unscored { return unscored }
    let rows = try reading?.all(isScored: false) ?? MatchedRows(rows: [])
    unscored = rows
    return rows
  }

  /// Returns the matches among the given rows, scored.
  ///
  /// - Parameter rows: the rows, ascending.
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: O(r log m) in the number of these rows.
  public func scoredRows(among rows: [Int64]) throws -> MatchedRows {
    if let found = try reading?.all(among: rows) { return found }
    return try scoredRows().filtered(among: rows)
  }

  /// Returns the best matches, best first; those with equal scores are in row order.
  ///
  /// - Parameter limit: the maximum number of matches.
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: for a term, AND and OR, only possible top matches are scored, and if the index has score bounds
  ///   (``FullTextCatalog/writeBounds(of:_:)``) only their blocks are read. Otherwise O(m) in the number of matches.
  public func best(_ limit: Int) throws -> [RankedRow] {
    if let lastBest, lastBest.limit >= limit || lastBest.rows.count < lastBest.limit {
      return Array(lastBest.rows.prefix(max(0, limit)))
    }
    let rows = try reading?.best(max(0, limit)) ?? scoredRows().best(max(0, limit))
    lastBest = (limit, rows)
    return rows
  }

  /// Returns the best matches among the given rows, best first.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of matches.
  ///   - rows: the rows, ascending.
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: O(r log m) in the number of these rows.
  public func best(_ limit: Int, among rows: [Int64]) throws -> [RankedRow] {
    if let found = try reading?.best(max(0, limit), among: rows) { return found }
    return try scoredRows().filtered(among: rows).best(max(0, limit))
  }

  /// Returns whether a document matches.
  ///
  /// - Parameter rowID: the row of the document.
  /// - Throws: ``TextIndexError`` if the index is damaged.
  /// - Complexity: O(log m), after ``rows()``.
  public func contains(row rowID: Int64) throws -> Bool { try rows().number(ofRow: rowID) != nil }

  /// The number of matches, computed without scores.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  public var count: Int {
    get throws { try unscored?.count ?? reading?.count() ?? rows().count }
  }

  /// The number of postings that must be read to count the matches; 0 if the count is known.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  public var countingCost: Int {
    get throws { unscored == nil ? try reading?.countingCost() ?? 0 : 0 }
  }

  /// An upper bound on the number of matches.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged.
  public var upperBound: Int {
    get throws { try unscored?.count ?? reading?.upperBound() ?? rows().count }
  }

  /// Returns an explanation of a match's score; nil if FTS5 computed it or the row does not match.
  ///
  /// - Parameter rowID: the row of the document.
  /// - Throws: ``TextIndexError`` if the index is damaged.
  public func explanation(ofRow rowID: Int64) throws -> ScoreExplanation? { try reading?.explanation(ofRow: rowID) }
}

extension FullTextQuery {
  /// Returns the matches of the query.
  ///
  /// - Parameters:
  ///   - reader: the index of the query, in the transaction in which the matches are used.
  ///   - ranking: the ranking; nil for the ranking of the index's definition.
  ///   - excluded: rows that do not match, in any order.
  /// - Throws: ``TextIndexError`` for a ranking parameter out of range, or for an index that is damaged.
  public func matches(
    _ reader: IndexReader, ranking: Ranking? = nil, excluding excluded: [Int64] = []
  ) throws -> MatchSet {
    let resolved = try ResolvedRanking(ranking ?? defaultRanking, for: index)
    guard !isEmpty else { return MatchSet(MatchedRows(rows: [])) }
    let rows = excluded.compactMap { UInt32(exactly: $0) }.sorted()
    return MatchSet(try MatchReading(self, resolved, excluding: rows, reader))
  }
}
