/// Two runs compared query by query: is one better, or is the difference what chance gives?
public struct RunComparison: Sendable {
  /// The mean of this run minus that of the other.
  public let difference: Double
  /// For how many queries this run is better, and worse.
  public let better: Int
  public let worse: Int
  /// How often chance alone gives a difference as large as this one, from 0 to 1; below 0.05 it is usually taken for real.
  public let pValue: Double

  /// How often the signs are drawn.
  private static let trialCount = 10_000

  /// Compares a measure of two runs over the queries that both have been measured for; nil where there is none.
  ///
  /// The test is Fisher's randomisation test, paired and two-sided: if the runs were equally good, the difference of each query
  /// could as well have the other sign. 10,000 times each sign is drawn, and the differences that are as large as the one measured
  /// are counted, with that one itself among them. See Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests
  /// for Information Retrieval Evaluation" (2007). The draws are the same every time.
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
    // Sums of the same numbers in other orders differ in their last digits.
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
