/// Matching documents in row order.
public final class MatchedRows: Sendable {
  /// The rows.
  public let rows: [Int64]
  private let scores: [Double]

  /// - Parameters:
  ///   - rows: the rows, ascending.
  ///   - scores: the score of each row; empty if scores were not requested.
  public init(rows: [Int64], scores: [Double] = []) {
    self.rows = rows
    self.scores = scores
  }

  /// The number of matches.
  public var count: Int { rows.count }

  /// Returns the row of a match.
  ///
  /// - Parameter number: the index of the match.
  public func rowID(_ number: Int) -> Int64 { rows[number] }

  /// Returns the score of a match (see ``Ranking``); 0 if scores were not requested.
  ///
  /// - Parameter number: the index of the match.
  public func score(_ number: Int) -> Double { scores.isEmpty ? 0 : scores[number] }

  /// Returns a match with its score.
  ///
  /// - Parameter number: the index of the match.
  public func match(_ number: Int) -> RankedRow { RankedRow(rowID: rows[number], score: score(number)) }

  /// Returns the index of a row's match; nil if the row does not match.
  ///
  /// - Parameter rowID: the row.
  /// - Complexity: O(log n).
  public func number(ofRow rowID: Int64) -> Int? {
    let insertionIndex = rows.partitionPoint { $0 >= rowID }
    return insertionIndex < rows.count && rows[insertionIndex] == rowID ? insertionIndex : nil
  }
}

extension MatchedRows {
  /// Returns the matches among the given rows.
  ///
  /// - Parameter wanted: the rows, ascending.
  public func filtered(among wanted: [Int64]) -> MatchedRows {
    var next = 0
    return filtered { row in
      while next < wanted.count, wanted[next] < row { next += 1 }
      return next < wanted.count && wanted[next] == row
    }
  }

  /// Returns the matches whose rows satisfy a predicate.
  ///
  /// - Parameter isIncluded: returns whether a row is included. It is called in row order.
  /// - Throws: the errors of `isIncluded`.
  public func filtered(_ isIncluded: (Int64) throws -> Bool) rethrows -> MatchedRows {
    var (keptRows, keptScores): ([Int64], [Double]) = ([], [])
    for (number, row) in rows.enumerated() where try isIncluded(row) {
      keptRows.append(row)
      if !scores.isEmpty { keptScores.append(scores[number]) }
    }
    return MatchedRows(rows: keptRows, scores: keptScores)
  }

  /// Returns the best matches, best first; those with equal scores are in row order.
  ///
  /// - Complexity: O(n log k) for n matches and a limit of k.
  func best(_ limit: Int) -> [RankedRow] {
    // All matches have equal scores.
    if scores.isEmpty { return rows.indices.prefix(limit).map { match($0) } }
    var hits = TopHits(capacity: min(limit, rows.count))
    for number in rows.indices { hits.offer(match(number)) }
    return hits.ranked
  }
}

/// A matching row with its score.
public struct RankedRow: Hashable, Sendable {
  /// The document's row.
  public let rowID: Int64
  /// The score; larger is better. See ``Ranking``.
  public let score: Double

  /// Creates a row with its score.
  ///
  /// - Parameters:
  ///   - rowID: the row.
  ///   - score: the score; larger is better.
  public init(rowID: Int64, score: Double) {
    self.rowID = rowID
    self.score = score
  }

  /// Returns whether this row precedes another one among hits: it has a higher score, or the same score and a lower
  /// row.
  ///
  /// - Parameter other: the other row.
  public func isBetter(than other: RankedRow) -> Bool {
    score == other.score ? rowID < other.rowID : score > other.score
  }
}
