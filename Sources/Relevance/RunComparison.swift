/// A comparison of two runs with a significance test.
public struct RunComparison: Sendable {
  /// The mean of this run minus that of the other.
  public let difference: Double
  /// The number of queries for which this run is better.
  public let better: Int
  /// The number of queries for which this run is worse.
  public let worse: Int
  /// The probability, from 0 to 1, that a difference at least this large occurs by chance. A difference is usually
  /// called significant if this is below 0.05.
  public let pValue: Double

  /// Compares a measure of two runs for the queries that are in both evaluations; returns nil if there are none.
  ///
  /// The test is ``PairedDifferences/randomizationPValue()``.
  ///
  /// - Parameters:
  ///   - evaluation: the evaluation of this run.
  ///   - other: the evaluation of the other run.
  ///   - measure: the measure to compare.
  public init?(
    _ evaluation: Evaluation, with other: Evaluation, by measure: KeyPath<Effectiveness, Double>
  ) {
    self.init(
      PairedDifferences(
        evaluation.queries.compactMap { query in
          evaluation.byQuery[query].flatMap { mine in
            other.byQuery[query].map { mine[keyPath: measure] - $0[keyPath: measure] }
          }
        }))
  }

  /// Creates a comparison from per-query differences; returns nil if there are none.
  ///
  /// - Parameter differences: the per-query differences, this run minus the other.
  public init?(_ differences: PairedDifferences) {
    guard !differences.values.isEmpty else { return nil }
    difference = differences.mean
    better = differences.wins
    worse = differences.losses
    pValue = differences.randomizationPValue()
  }
}
