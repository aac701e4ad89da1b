import Foundation
import Testing

@testable import Relevance

/// Compares measures with values computed by hand from the definitions of trec_eval.
@Suite struct EffectivenessTests {
  /// Three relevant documents, one of them not found; grades 2, 1 and 1.
  private let grades = ["a": 2, "b": 1, "c": 1, "x": 0, "y": -1]

  private func measured(_ found: [String]) throws -> Effectiveness {
    try #require(Effectiveness(of: found, grades: grades))
  }

  private func expectEqual(_ value: Double, _ expected: Double) { #expect(abs(value - expected) < 1e-12) }

  @Test func averagePrecisionCountsUnretrievedDocuments() throws {
    // Relevant at ranks 2 and 4, of three: (1/2 + 2/4) / 3.
    expectEqual(try measured(["x", "b", "u", "a"]).averagePrecision, (0.5 + 0.5) / 3)
  }

  @Test func ndcgUsesGradesAsGains() throws {
    let dcg: Double = 1 / log2(3.0) + 2 / log2(5.0)
    let ideal: Double = 2 / log2(2.0) + 1 / log2(3.0) + 1 / log2(4.0)
    expectEqual(try measured(["x", "b", "u", "a"]).normalizedDiscountedCumulativeGain10, dcg / ideal)
  }

  @Test func negativeGradesHaveNoGain() throws {
    let (gain, ideal): (Double, Double) = (2 / log2(3.0), 2 + 1 / log2(3.0) + 0.5)
    expectEqual(try measured(["y", "a"]).normalizedDiscountedCumulativeGain10, gain / ideal)
    #expect(try measured(["y"]) == Effectiveness())
  }

  @Test func ndcgIgnoresHitsAfterRankTen() throws {
    let late = try measured((0..<10).map { "u\($0)" } + ["a"])
    #expect(late.normalizedDiscountedCumulativeGain10 == 0 && late.precision10 == 0)
    expectEqual(late.precision30, 1.0 / 30)
    expectEqual(late.reciprocalRank, 1.0 / 11)
    expectEqual(late.averagePrecision, 1.0 / 11 / 3)
  }

  @Test func idealGainIsCutAtRankTen() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<20).map { ("d\($0)", 1) })
    let perfect = try #require(Effectiveness(of: (0..<10).map { "d\($0)" }, grades: many))
    expectEqual(perfect.normalizedDiscountedCumulativeGain10, 1)
    expectEqual(perfect.recall100, 0.5)
    expectEqual(perfect.averagePrecision, 0.5)
  }

  @Test func valuesAreThoseOfTheMeasures() throws {
    let found = ["x", "b", "u", "a", "y"]
    let effectiveness = try measured(found)
    for (name, value) in Effectiveness.measures {
      let measure = try Measure(name: name)
      #expect(effectiveness[keyPath: value] == measure.value(of: found, grades: grades), "\(name)")
    }
  }

  @Test func precisionDividesByCutoff() throws {
    let short = try measured(["a", "b"])
    expectEqual(short.precision10, 0.2)
    expectEqual(short.precision30, 2.0 / 30)
    expectEqual(short.recall100, 2.0 / 3)
    expectEqual(short.reciprocalRank, 1)
  }

  @Test func recallIgnoresHitsAfterRankHundred() throws {
    let found = (0..<99).map { "u\($0)" } + ["a", "b"]
    expectEqual(try measured(found).recall100, 1.0 / 3)
  }

  @Test func queryWithoutJudgementsHasNoMeasures() {
    #expect(Effectiveness(of: ["a"], grades: [:]) == nil)
    #expect(Effectiveness(of: ["x"], grades: ["x": 0, "y": -2]) == Effectiveness())
  }

  /// The same as trec_eval.
  @Test func meanIncludesQueriesWithoutRelevantDocuments() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n2 0 b 1\n3 0 c 0\n4 0 d 1\n", name: "q")
    var run = EvaluationRun()
    run.add(["a"], for: "1")
    run.add([], for: "2")
    run.add(["c"], for: "3")
    run.add(["a"], for: "5")
    let evaluation = Evaluation(of: run, by: judgements)
    #expect(evaluation.queries == ["1", "2", "3"] && evaluation.skippedQueries == ["5"])
    expectEqual(evaluation.mean.averagePrecision, 1.0 / 3)
  }

  @Test func tiesAreOrderedAsInTRECEval() throws {
    let run = try EvaluationRun(trecRun: "1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n", name: "run")
    let judgements = try RelevanceJudgements(qrels: "1 0 b 1\n", name: "q")
    #expect(Evaluation(of: run, by: judgements).mean.reciprocalRank == 1)
  }

  @Test func unjudgedHitsAreCountedToRankTen() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n1 0 b 0\n", name: "q")
    var run = EvaluationRun()
    run.add(["a", "b", "c"] + (0..<10).map { "u\($0)" }, for: "1")
    #expect(Evaluation(of: run, by: judgements).unjudgedCount == 8)
  }
}
