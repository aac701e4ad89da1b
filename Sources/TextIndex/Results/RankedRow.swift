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

  /// Returns whether this row precedes another one among hits: it has a higher score, or the same score and a lower row.
  public func isBetter(than other: RankedRow) -> Bool {
    score == other.score ? rowID < other.rowID : score > other.score
  }
}
