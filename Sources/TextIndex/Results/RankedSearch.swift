public import GRDB

/// A document that matches, and how well.
public struct RankedRow: Hashable, Sendable {
  /// The document's row.
  public let rowID: Int64
  /// The score; larger is better. See ``Ranking``.
  public let score: Double

  /// A row with its score.
  public init(rowID: Int64, score: Double) {
    self.rowID = rowID
    self.score = score
  }

  /// The order of hits: whether this one comes before another, which has a lower score, or the same and a higher row.
  public func isBetter(than other: RankedRow) -> Bool {
    score == other.score ? rowID < other.rowID : score > other.score
  }
}

extension FullTextQuery {
  /// The best matches, best first; those of equal score in the order of their rows.
  ///
  /// The index is read by ``MatchSearch``. Where its tables have a form that is not known here, or the lengths of its
  /// documents are missing, FTS5's own `bm25()` is asked: much slower, and by another formula, see ``Ranking/Formula``.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction.
  ///   - limit: how many at most.
  ///   - offset: how many of the best are passed over.
  ///   - ranking: how they are scored; nil for the way of the index's definition.
  ///   - excluded: SQL that selects rows which are not to be found, or nil.
  /// - Throws: ``TextIndexError`` for an unknown field, for a number of the ranking that is out of its range, and for an index
  ///   that is damaged.
  /// - Complexity: for a term, AND and OR, only what can be among the best is scored, and where the index has its bounds
  ///   (``FullTextCatalog/writeBounds(of:_:)``) only that is read. Otherwise O(m) in the number of documents with the terms when
  ///   their doclists are read for the first time.
  public func ranked(
    _ db: Database, limit: Int, offset: Int = 0, ranking: Ranking? = nil, excluding excluded: String? = nil
  ) throws -> [RankedRow] {
    let resolved = try ResolvedRanking(ranking ?? defaultRanking, for: index)
    guard !isEmpty, limit > 0 else { return [] }
    let offset = max(0, offset)
    let (sum, overflows) = limit.addingReportingOverflow(offset)
    let needed = overflows ? Int.max : sum
    let rows = try FullTextQuery.rows(excluded, db)
    let best = try index.readingDoclists {
      let reader = try PostingsReader(index, db)
      let bounded = try BoundedSearch(match, resolved, reader)?.ranked(limit: needed, excluding: rows)
      return try bounded ?? MatchSearch(match, reader).ranked(limit: needed, resolved, excluding: rows)
    }
    if let best { return Array(best.dropFirst(offset)) }
    return try FTS5FallbackSearch(self).ranked(db, limit: limit, offset: offset, resolved, excluding: excluded)
  }

  /// The number of matches, without scoring them.
  ///
  /// - Parameter excluded: SQL that selects rows which are not to be counted, or nil.
  public func count(_ db: Database, excluding excluded: String? = nil) throws -> Int {
    guard !isEmpty else { return 0 }
    if excluded == nil, let word = match.word,
      let count = try index.readingDoclists({ try PostingsReader(index, db).documentFrequency(word.term) })
    {
      return count
    }
    let search = try index.readingDoclists { try MatchSearch(match, in: index, db) }
    guard let search else { return try FTS5FallbackSearch(self).count(db, excluding: excluded) }
    return search.count(excluding: try FullTextQuery.rows(excluded, db))
  }

  /// The rows that SQL selects, in order. Larger ones than are read are in no result either.
  static func rows(_ sql: String?, _ db: Database) throws -> [UInt32] {
    guard let sql else { return [] }
    return try Int64.fetchAll(db, sql: sql).compactMap { UInt32(exactly: $0) }.sorted()
  }
}

extension StoredFullTextIndex {
  /// Runs what reads doclists; nil where only FTS5 can read them.
  func readingDoclists<T>(_ body: () throws -> T) throws -> T? {
    do {
      return try body()
    } catch is FTS5FallbackRequired {
      return nil
    } catch let damage as DoclistCorruption {
      throw damage.error(index: name)
    }
  }
}
