import Testing

@testable import Relevance

@Suite struct RunComparisonTests {
  /// Returns an evaluation of queries with one relevant document each, found at the given ranks.
  private func evaluation(ranks: [Int]) throws -> Evaluation {
    let lines = ranks.indices.map { "\($0) 0 a 1\n" }.joined()
    var run = EvaluationRun()
    for (query, rank) in ranks.enumerated() {
      run.add((1..<rank).map { "u\($0)" } + ["a"], for: String(query))
    }
    return Evaluation(of: run, by: try RelevanceJudgements(qrels: lines, name: "q"))
  }

  @Test func pValueOfFewQueriesIsExact() throws {
    let one = try evaluation(ranks: [1, 1, 1, 1])
    let other = try evaluation(ranks: [2, 2, 2, 2])
    let comparison = try #require(RunComparison(one, with: other, by: \.averagePrecision))
    #expect(comparison.difference == 0.5 && comparison.better == 4 && comparison.worse == 0)
    // Two of the 16 sign assignments are as extreme.
    #expect(abs(comparison.pValue - 2.0 / 16) < 0.01)
  }

  @Test func consistentDifferenceIsSignificant() throws {
    let one = try evaluation(ranks: Array(repeating: 1, count: 70))
    let other = try evaluation(ranks: Array(repeating: 3, count: 70))
    #expect(try #require(RunComparison(one, with: other, by: \.reciprocalRank)).pValue < 0.001)
  }

  @Test func equalRunsAreNotSignificant() throws {
    let one = try evaluation(ranks: [1, 2, 3])
    let comparison = try #require(RunComparison(one, with: one, by: \.reciprocalRank))
    #expect(comparison.difference == 0 && comparison.pValue == 1)
  }

  @Test func missingQueryCountsAsZero() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n2 0 b 1\n", name: "q")
    let run = try EvaluationRun(trecRun: "1 Q0 a 1 1 x\n", name: "r")
    let evaluation = Evaluation(of: run, by: judgements, queries: ["1", "2"])
    #expect(evaluation.queries == ["1", "2"] && evaluation.mean.reciprocalRank == 0.5)
  }
}
