/// The per-query differences of a measure between two runs, with significance tests.
///
/// ```swift
/// let paired = PairedDifferences([0.1, -0.05, 0.2])
/// print(paired.mean, paired.tTestPValue, paired.confidenceInterval())
/// ```
public struct PairedDifferences: Sendable {
  /// The difference for each query.
  public let values: [Double]
  /// The mean of the differences; 0 without queries.
  public let mean: Double
  /// The standard deviation of the differences, with n − 1 as the divisor; 0 for fewer than two queries.
  public let standardDeviation: Double

  /// Smaller differences are rounding errors and count as 0.
  private static let tolerance = 1e-12
  /// The number of random sign assignments.
  private static let trialCount = 10_000

  /// Creates the paired differences of two runs.
  ///
  /// - Parameter values: the difference for each query.
  public init(_ values: [Double]) {
    self.values = values.map { abs($0) < PairedDifferences.tolerance ? 0 : $0 }
    let count = Double(values.count)
    let mean = values.isEmpty ? 0 : values.reduce(0, +) / count
    self.mean = mean
    standardDeviation =
      values.count < 2 ? 0 : (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
  }

  /// The number of queries with a positive difference.
  public var wins: Int { values.count { $0 > 0 } }

  /// The number of queries with a negative difference.
  public var losses: Int { values.count { $0 < 0 } }

  /// The effect size, Cohen's d for paired values: the mean divided by the standard deviation. Around 0.2 is small, 0.5
  /// medium and 0.8 large. 0 if all differences are 0, infinite if all are equal but not 0, and NaN for fewer than two
  /// queries or if a difference is not finite.
  public var effectSize: Double {
    guard values.count > 1, isFinite else { return .nan }
    if hasSpread { return mean / standardDeviation }
    return isZero ? 0 : mean < 0 ? -Double.infinity : Double.infinity
  }

  /// The probability that a mean difference at least this far from 0 occurs by chance, by Student's paired t-test,
  /// two-sided. 1 for fewer than two queries, if all differences are 0, and if a difference is not finite. NaN if all
  /// differences are equal but not 0: the test estimates the spread of the differences, which have none.
  public var tTestPValue: Double {
    guard values.count > 1, isFinite else { return 1 }
    guard hasSpread else { return isZero ? 1 : .nan }
    let t = mean / (standardDeviation / Double(values.count).squareRoot())
    return StudentDistribution(freedom: Double(values.count - 1)).twoSidedProbability(t)
  }

  /// Returns the confidence interval of the mean difference, by Student's t distribution.
  ///
  /// - Parameter level: the confidence, between 0 and 1.
  /// - Returns: all numbers for fewer than two queries, which have no spread to estimate, and if a difference is not
  ///   finite.
  public func confidenceInterval(_ level: Double = 0.95) -> ClosedRange<Double> {
    guard values.count > 1, isFinite else { return -Double.infinity...Double.infinity }
    guard hasSpread else { return mean...mean }
    let quantile = StudentDistribution(freedom: Double(values.count - 1)).quantile(twoSided: 1 - level)
    let margin = quantile * standardDeviation / Double(values.count).squareRoot()
    return (mean - margin)...(mean + margin)
  }

  /// Returns the probability that a mean difference at least this far from 0 occurs by chance, by Fisher's
  /// randomization test, paired and two-sided.
  ///
  /// If the runs were equally good, the difference for each query could have either sign. The test computes the
  /// fraction of sign assignments, among the measured one and 10,000 random ones, with a difference at least as large.
  /// See Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval
  /// Evaluation" (2007). Every call uses the same random numbers. The result is 1 if a difference is not finite.
  public func randomizationPValue() -> Double {
    guard isFinite else { return 1 }
    // Sums of the same numbers in different orders differ by rounding errors.
    let threshold = abs(values.reduce(0, +)) - 1e-9
    var generator = Xorshift()
    var largeCount = 1
    for _ in 0..<PairedDifferences.trialCount {
      var total = 0.0
      var signs: UInt64 = 0
      for (number, value) in values.enumerated() {
        if number % 64 == 0 { signs = generator.next() }
        total += signs >> (number % 64) & 1 == 0 ? value : -value
      }
      if abs(total) >= threshold { largeCount += 1 }
    }
    return Double(largeCount) / Double(PairedDifferences.trialCount + 1)
  }

  private var isFinite: Bool { mean.isFinite && standardDeviation.isFinite }
  private var isZero: Bool { abs(mean) < PairedDifferences.tolerance }
  private var hasSpread: Bool { standardDeviation > PairedDifferences.tolerance }
}

/// Repeatable random bits: Marsaglia, "Xorshift RNGs" (2003), with the shifts 13, 7 and 17.
struct Xorshift {
  var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
