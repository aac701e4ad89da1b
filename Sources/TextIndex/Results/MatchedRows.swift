/// Documents that match, in the order of their rows.
public final class MatchedRows: Sendable {
  /// Their rows.
  public let rows: [Int64]
  private let scores: [Double]

  /// - Parameters:
  ///   - rows: in order.
  ///   - scores: a score for each row, or none.
  public init(rows: [Int64], scores: [Double] = []) {
    self.rows = rows
    self.scores = scores
  }

  /// How many documents match.
  public var count: Int { rows.count }

  /// The row of a match.
  public func rowID(_ number: Int) -> Int64 { rows[number] }

  /// The score of a match, see ``Ranking``; 0 where scores were not asked for.
  public func score(_ number: Int) -> Double { scores.isEmpty ? 0 : scores[number] }

  /// A match with its score.
  public func match(_ number: Int) -> RankedRow { RankedRow(rowID: rows[number], score: score(number)) }

  /// The number of a row's match.
  ///
  /// - Complexity: O(log n).
  public func number(ofRow rowID: Int64) -> Int? {
    let insertionIndex = rows.partitionPoint { $0 >= rowID }
    return insertionIndex < rows.count && rows[insertionIndex] == rowID ? insertionIndex : nil
  }
}

extension MatchedRows {
  /// Those of some rows, which are in order.
  public func filtered(among wanted: [Int64]) -> MatchedRows {
    var next = 0
    return filtered { row in
      while next < wanted.count, wanted[next] < row { next += 1 }
      return next < wanted.count && wanted[next] == row
    }
  }

  /// Those whose row `isIncluded` accepts, asked in the order of the rows.
  public func filtered(_ isIncluded: (Int64) throws -> Bool) rethrows -> MatchedRows {
    var (keptRows, keptScores): ([Int64], [Double]) = ([], [])
    for (number, row) in rows.enumerated() where try isIncluded(row) {
      keptRows.append(row)
      if !scores.isEmpty { keptScores.append(scores[number]) }
    }
    return MatchedRows(rows: keptRows, scores: keptScores)
  }

  /// The best, best first; those of equal score in the order of their rows.
  func best(_ limit: Int) -> [RankedRow] {
    Array(rows.indices.map { match($0) }.sorted { $0.isBetter(than: $1) }.prefix(limit))
  }
}

/// A row that matches, with its score.
public struct RankedRow: Hashable, Sendable {
  /// The document's row.
  public let rowID: Int64
  /// The score; larger is better. See ``Ranking``.
  public let score: Double

  /// Creates a row with its score.
  public init(rowID: Int64, score: Double) {
    self.rowID = rowID
    self.score = score
  }

  /// Returns whether this row precedes another one among hits: it has a higher score, or the same score and a lower
  /// row.
  public func isBetter(than other: RankedRow) -> Bool {
    score == other.score ? rowID < other.rowID : score > other.score
  }
}
