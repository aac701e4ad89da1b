/// A comparison of several runs by one measure: of each run with the first run, or of every pair of runs.
///
/// ```swift
/// let comparison = PairwiseRunComparison(measured, measure: 0)
/// for pair in comparison.pairs { print(pair.run, pair.baseline, pair.differences.mean, pair.correctedTTestPValue) }
/// ```
public struct PairwiseRunComparison: Sendable {
  /// The comparison of two runs.
  public struct Pair: Sendable {
    /// The index of the run that is compared.
    public let run: Int
    /// The index of the run that it is compared with.
    public let baseline: Int
    /// The ids of the queries that ``differences`` covers, in the same order: those for which the measure is defined in
    /// both runs.
    public let queries: [String]
    /// The values of the run minus those of the baseline. For a measure that is a sum, such as `NumRelRet`, they are
    /// also the differences of single queries, so their mean is the difference of the sums divided by the number of
    /// queries.
    public let differences: PairedDifferences
    /// The p value of the paired t-test; NaN if the test is undefined, see ``PairedDifferences/tTestPValue``.
    public let tTestPValue: Double
    /// The p value of the paired randomization test.
    public let randomizationPValue: Double
    /// ``tTestPValue`` with Holm's correction over all pairs.
    public fileprivate(set) var correctedTTestPValue: Double
    /// ``randomizationPValue`` with Holm's correction over all pairs.
    public fileprivate(set) var correctedRandomizationPValue: Double
  }

  /// The pairs, ordered by run and then by baseline.
  public private(set) var pairs: [Pair] = []

  /// Compares runs.
  ///
  /// - Parameters:
  ///   - runs: the measured runs, with the same measures and queries.
  ///   - measure: the index of the measure.
  ///   - comparesAll: whether each run is compared with every earlier run, instead of only with the first.
  public init(_ runs: [MeasuredRun], measure: Int, comparesAll: Bool = false) {
    for run in runs.indices.dropFirst() {
      for baseline in comparesAll ? 0..<run : 0..<1 {
        let queries = runs[baseline].queries.filter { query in
          runs[baseline].isDefined(measure, query) && runs[run].isDefined(measure, query)
        }
        let differences = PairedDifferences(
          queries.map { runs[run].value(measure, $0) - runs[baseline].value(measure, $0) })
        let (tTest, randomization) = (differences.tTestPValue, differences.randomizationPValue())
        pairs.append(
          Pair(
            run: run, baseline: baseline, queries: queries, differences: differences, tTestPValue: tTest,
            randomizationPValue: randomization, correctedTTestPValue: tTest,
            correctedRandomizationPValue: randomization))
      }
    }
    let corrected = HolmCorrection.corrected(pairs.map(\.tTestPValue))
    let correctedRandomization = HolmCorrection.corrected(pairs.map(\.randomizationPValue))
    for index in pairs.indices {
      pairs[index].correctedTTestPValue = corrected[index]
      pairs[index].correctedRandomizationPValue = correctedRandomization[index]
    }
  }
}
