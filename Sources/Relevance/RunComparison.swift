/// A comparison of two runs with a significance test.
public struct RunComparison: Sendable {
  /// The mean of this run minus that of the other.
  public let difference: Double
  /// The numbers of queries for which this run is better, and worse.
  public let better: Int
  public let worse: Int
  /// The probability that chance alone gives a difference at least this large, from 0 to 1. A difference is usually
  /// called significant below 0.05.
  public let pValue: Double

  /// The number of random sign assignments.
  private static let trialCount = 10_000

  /// Compares a measure of two runs over the queries that both were evaluated for; returns nil if there are none.
  ///
  /// The test is Fisher's randomization test, paired and two-sided: if the runs were equally good, the difference of
  /// each query could have either sign. Of 10,000 random sign assignments, and the measured one, the test counts those
  /// with a difference at least as large. See Smucker, Allan and Carterette, "A Comparison of Statistical Significance
  /// Tests for Information Retrieval Evaluation" (2007). The random numbers are the same every time.
  public init?(
    _ evaluation: Evaluation, with other: Evaluation, by measure: KeyPath<Effectiveness, Double>
  ) {
    let differences = evaluation.queries.compactMap { query in
      evaluation.byQuery[query].flatMap { mine in
        other.byQuery[query].map { mine[keyPath: measure] - $0[keyPath: measure] }
      }
    }
    guard !differences.isEmpty else { return nil }
    better = differences.count { $0 > 0 }
    worse = differences.count { $0 < 0 }
    let sum = differences.reduce(0, +)
    difference = sum / Double(differences.count)
    // Sums of the same numbers in different orders differ by rounding errors.
    let threshold = abs(sum) - 1e-9
    var generator = Xorshift()
    var asLarge = 1
    for _ in 0..<RunComparison.trialCount {
      var total = 0.0
      var signs: UInt64 = 0
      for (number, value) in differences.enumerated() {
        if number % 64 == 0 { signs = generator.next() }
        total += signs >> (number % 64) & 1 == 0 ? value : -value
      }
      if abs(total) >= threshold { asLarge += 1 }
    }
    pValue = Double(asLarge) / Double(RunComparison.trialCount + 1)
  }
}

/// Repeatable random bits: Marsaglia, "Xorshift RNGs" (2003), with the shifts 13, 7 and 17.
private struct Xorshift {
  var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
