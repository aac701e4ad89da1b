public import GRDB
import GRDBSQLite

/// Documents that match, in the order of their rows.
public final class MatchedRows: Sendable {
  private let rows: [Int64]
  private let scores: [Double]

  fileprivate init(rows: [Int64], scores: [Double]) {
    self.rows = rows
    self.scores = scores
  }

  /// How many documents match.
  public var count: Int { rows.count }

  /// The row of a match.
  public func rowID(_ number: Int) -> Int64 { rows[number] }

  /// The score of a match, see ``Ranking``; 0 where scores were not asked for.
  public func score(_ number: Int) -> Double { scores.isEmpty ? 0 : scores[number] }

  /// The number of a row's match.
  ///
  /// - Complexity: O(log n).
  public func number(ofRow rowID: Int64) -> Int? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < rowID { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] == rowID ? low : nil
  }
}

extension FullTextQuery {
  /// Every document that matches.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction.
  ///   - isScored: whether the scores are wanted.
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  /// - Complexity: O(m) in the number of documents with the terms.
  public func matches(_ db: Database, isScored: Bool) throws -> MatchedRows {
    guard !isEmpty else { return MatchedRows(rows: [], scores: []) }
    let ranking = try ResolvedRanking(Ranking(), for: index)
    let search = try index.readingDoclists { try MatchSearch(match, in: index, db) }
    guard let search else {
      let hits = try StockSearch(self).all(db, isScored: isScored)
      return MatchedRows(rows: hits.map(\.rowID), scores: isScored ? hits.map(\.score) : [])
    }
    let found = search.all(isScored ? ranking : nil)
    return MatchedRows(rows: found.rows.map { Int64($0) }, scores: found.scores)
  }

  /// The best matches in the order of their rows.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction.
  ///   - limit: how many at most.
  ///   - excluded: SQL that selects rows which are not to be found.
  /// - Throws: and complexity: as ``ranked(_:limit:offset:ranking:excluding:)``.
  public func bestMatches(_ db: Database, limit: Int, excluding excluded: String) throws -> MatchedRows {
    let hits = try ranked(db, limit: limit, excluding: excluded).sorted { $0.rowID < $1.rowID }
    return MatchedRows(rows: hits.map(\.rowID), scores: hits.map(\.score))
  }
}
