import Testing

@testable import Relevance

@Suite struct RunFusionTests {
  private let one = [
    EvaluationRun.Hit("a", score: 9), EvaluationRun.Hit("b", score: 5), EvaluationRun.Hit("c", score: 1),
  ]
  private let other = [EvaluationRun.Hit("c", score: 0.4), EvaluationRun.Hit("a", score: 0.2)]

  @Test func reciprocalRanksAreAdded() {
    let fused = RunFusion.reciprocalRank().fused([one, other])
    #expect(fused.map(\.document) == ["a", "c", "b"])
    #expect(abs(fused[0].score - (1.0 / 61 + 1.0 / 62)) < 1e-15)
  }

  @Test func scoresAreNormalizedToTheirRange() {
    let fused = RunFusion.scoreSum.fused([one, other])
    // Equal scores are in the order of the best ranks, and then of the rankings.
    #expect(fused == [.init("a", score: 1), .init("c", score: 1), .init("b", score: 0.5)])
    #expect(RunFusion.scoreSumTimesCount.fused([one, other]).map(\.score) == [2, 2, 0.5])
  }

  @Test func normalizedScoresAreTheSummands() {
    let reciprocal: [Double] = [0.5, 1.0 / 3, 0.25]
    #expect(RunFusion.reciprocalRank(k: 1).normalizedScores(of: one) == reciprocal)
    #expect(RunFusion.scoreSum.normalizedScores(of: one) == [1, 0.5, 0])
    #expect(RunFusion.scoreSum.normalizedScores(of: []).isEmpty)
  }

  @Test func weightsAreFactors() {
    #expect(RunFusion.scoreSum.fused([one, other], weights: [1, 3]).first?.document == "c")
  }

  @Test func termsThatAreNotFiniteCountAsZero() {
    #expect(RunFusion.reciprocalRank(k: -1).normalizedScores(of: one) == [0, 1, 0.5])
    #expect(RunFusion.reciprocalRank(k: .nan).normalizedScores(of: one) == [0, 0, 0])
    #expect(RunFusion.scoreSum.fused([one, other], weights: [1, .infinity]) == RunFusion.scoreSum.fused([one, []]))
    let scores = [Double.infinity, 3, .nan, 2, 1].enumerated().map { EvaluationRun.Hit("\($0)", score: $1) }
    #expect(RunFusion.scoreSum.normalizedScores(of: scores) == [0, 1, 0, 0.5, 0])
  }

  @Test func repeatedDocumentsCountOnce() {
    let repeated = [EvaluationRun.Hit("a", score: 9), EvaluationRun.Hit("a", score: 7)] + one.dropFirst()
    for method in [RunFusion.reciprocalRank(), .scoreSum, .scoreSumTimesCount] {
      #expect(method.fused([repeated, other]) == method.fused([one, other]))
    }
  }

  @Test func singleHitCountsAsBest() {
    #expect(RunFusion.scoreSum.fused([[EvaluationRun.Hit("x", score: 7)]]) == [.init("x", score: 1)])
    #expect(RunFusion.scoreSum.fused([[], []]).isEmpty)
  }

  @Test func queriesOfAnyRunAreFused() throws {
    let first = try EvaluationRun(trecRun: "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n", name: "r")
    let second = try EvaluationRun(trecRun: "2 Q0 c 1 1 x\n1 Q0 b 1 1 x\n", name: "r")
    let fused = RunFusion.reciprocalRank().fused([first, second], depth: 1)
    #expect(fused.queries == ["1", "2"] && fused.documents == ["1": ["b"], "2": ["c"]])
  }

  @Test func equalScoresKeepTheirOrderInRuns() throws {
    var run = EvaluationRun()
    run.add(hits: ["x", "y", "z"].map { EvaluationRun.Hit($0, score: 1.5) }, for: "1")
    let text = try run.trecText(name: "tag")
    #expect(text == "1 Q0 x 1 1.5 tag\n1 Q0 y 2 1.4999998807907104 tag\n1 Q0 z 3 1.499999761581421 tag\n")
    #expect(try EvaluationRun(trecRun: text, name: "r").ranking(of: "1", ties: .descendingIDs) == ["x", "y", "z"])
  }
}
