import Testing

@testable import Relevance

/// Compares tests with the values that scipy 1.17 returned.
@Suite struct StatisticsTests {
  private let paired = PairedDifferences([0.1, -0.05, 0.2, 0.03, 0, -0.01, 0.15, 0.07])

  private func expectEqual(_ value: Double, _ expected: Double) { #expect(abs(value - expected) < 1e-12) }

  @Test func tTestEqualsThatOfSciPy() {
    expectEqual(paired.tTestPValue, 0.08168783272472029)
    expectEqual(paired.mean, 0.06125)
    expectEqual(paired.standardDeviation, 0.08526220063511648)
    #expect(paired.wins == 5 && paired.losses == 2)
  }

  @Test func effectSizeIsMeanByStandardDeviation() { expectEqual(paired.effectSize, 0.7183722627817477) }

  @Test func confidenceIntervalEqualsThatOfSciPy() {
    expectEqual(paired.confidenceInterval().lowerBound, -0.010030983555147435)
    expectEqual(paired.confidenceInterval().upperBound, 0.13253098355514742)
  }

  @Test(arguments: [
    (1.0, 1.0, 0.5, 12.706204736174694), (2, 3.5, 0.07282735005446933, 4.302652729749462),
    (30, 2.04, 0.050239574739086856, 2.0422724563012378), (224, 0.3, 0.7644553673830992, 1.9706109611023637),
    (7, 20, 1.954882710800399e-07, 2.364624251592784),
  ])
  func studentDistributionEqualsThatOfSciPy(freedom: Double, t: Double, probability: Double, quantile: Double) {
    let distribution = StudentDistribution(freedom: freedom)
    #expect(abs(distribution.twoSidedProbability(t) / probability - 1) < 1e-11)
    #expect(abs(distribution.quantile(twoSided: 0.05) / quantile - 1) < 1e-10)
  }

  @Test func equalDifferencesHaveNoSpread() {
    #expect(PairedDifferences([0.5, 0.5]).tTestPValue.isNaN && PairedDifferences([0.5, 0.5]).effectSize == .infinity)
    #expect(PairedDifferences([-0.5, -0.5]).effectSize == -.infinity)
    #expect(PairedDifferences([0, 0]).tTestPValue == 1 && PairedDifferences([0, 0]).effectSize == 0)
  }

  @Test(arguments: [[], [0.5]] as [[Double]]) func fewerThanTwoQueriesProveNothing(values: [Double]) {
    let paired = PairedDifferences(values)
    #expect(paired.tTestPValue == 1 && paired.randomizationPValue() == 1 && paired.effectSize.isNaN)
    #expect(paired.confidenceInterval() == -Double.infinity...Double.infinity)
  }

  @Test(arguments: [Double.nan, .infinity]) func intervalOfUndefinedDifferencesIsUnlimited(value: Double) {
    let paired = PairedDifferences([value, 1, 2])
    let interval = paired.confidenceInterval()
    #expect(interval.lowerBound == -.infinity && interval.upperBound == .infinity)
    #expect(paired.tTestPValue == 1 && paired.randomizationPValue() == 1 && paired.effectSize.isNaN)
  }

  /// `Accuracy` is undefined for the second query of the first run, which has no relevant hit.
  @Test func undefinedQueriesAreNotCompared() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n2 0 a 1\n3 0 a 1\n", name: "q")
    let measured = try [[["a", "x"], ["x"], ["x", "a"]], [["x", "a"], ["a"], ["a", "x"]]].map { hits in
      var run = EvaluationRun()
      for (query, found) in hits.enumerated() { run.add(found, for: String(query + 1)) }
      return MeasuredRun(run, by: judgements, [try Measure(name: "Accuracy"), try Measure(name: "NumRelRet")])
    }
    #expect(!measured[0].isDefined(0, "2") && measured[1].isDefined(0, "2") && measured[0].isDefined(1, "2"))
    let pair = PairwiseRunComparison(measured, measure: 0).pairs[0]
    #expect(pair.queries == ["1", "3"] && pair.differences.values == [-1, 1])
    #expect(PairwiseRunComparison(measured, measure: 1).pairs[0].differences.values == [0, 1, 0])
    let validation = try #require(CrossValidation(measured, measure: 0, folds: 2))
    #expect(validation.chosen == [1, 0] && validation.mean == 0)
  }

  @Test func holmCorrectionIsMonotone() {
    let corrected = HolmCorrection.corrected([0.01, 0.04, 0.03, 0.9])
    #expect(zip(corrected, [0.04, 0.09, 0.09, 0.9]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(HolmCorrection.corrected([0.6, 0.7]) == [1, 1] && HolmCorrection.corrected([]) == [])
    let partial = HolmCorrection.corrected([.nan, 0.25, 0.5])
    #expect(partial[0].isNaN && partial[1...] == [0.5, 0.5])
  }

  @Test func eachRunIsComparedWithTheFirstOrWithAll() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n2 0 a 1\n3 0 a 1\n", name: "q")
    let measured = try (1...3).map { rank in
      var run = EvaluationRun()
      for query in ["1", "2", "3"] { run.add((1..<rank).map { "u\($0)" } + ["a"], for: query) }
      return MeasuredRun(run, by: judgements, [try Measure(name: "RR")])
    }
    let comparison = PairwiseRunComparison(measured, measure: 0)
    #expect(comparison.pairs.map { [$0.run, $0.baseline] } == [[1, 0], [2, 0]])
    #expect(comparison.pairs[0].differences.mean == -0.5 && comparison.pairs[0].differences.losses == 3)
    #expect(PairwiseRunComparison(measured, measure: 0, comparesAll: true).pairs.count == 3)
  }
}
