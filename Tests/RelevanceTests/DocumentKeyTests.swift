import JSONText
import Testing

@testable import Relevance

/// Ids of documents are compared by their bytes, as in the database and in trec_eval.
@Suite struct DocumentKeyTests {
  /// é as one scalar and as two: canonically equivalent, but different ids.
  private let one = "caf\u{E9}"
  private let other = "cafe\u{301}"

  @Test func equivalentIDsAreDifferentDocuments() throws {
    #expect(one == other && DocumentKey(one) != DocumentKey(other))
    let judgements = try RelevanceJudgements(qrels: "1 0 \(one) 1\n1 0 \(other) 0\n", name: "q")
    #expect(judgements.grade(of: one, for: "1") == 1 && judgements.grade(of: other, for: "1") == 0)
    #expect(judgements.relevantCount(of: "1") == 1)
    let run = try EvaluationRun(trecRun: "1 Q0 \(other) 1 2 x\n1 Q0 \(one) 2 1 x\n", name: "r")
    let measures = try [Measure(name: "RR"), Measure(name: "NumRelRet"), Measure(name: "Compat")]
    let measured = MeasuredRun(run, by: judgements, measures)
    #expect(measured.value(0, "1") == 0.5 && measured.value(1, "1") == 1 && measured.value(2, "1") < 1)
    #expect(Evaluation(of: run, by: judgements).byQuery["1"]?.reciprocalRank == 0.5)
  }

  @Test func equivalentIDsAreFusedSeparately() {
    let fused = RunFusion.reciprocalRank().fused([[.init(one, score: 1)], [.init(other, score: 1)]])
    #expect(fused.map { Array($0.document.utf8) } == [Array(one.utf8), Array(other.utf8)])
  }

  @Test func aDocumentCountsAtItsFirstPosition() throws {
    let (found, grades) = (["a", "a", "b"], ["a": 1, "b": 1])
    let measured = try #require(Effectiveness(of: found, grades: grades))
    #expect(measured == Effectiveness(of: ["a", "b"], grades: grades))
    for name in ["AP", "NumRelRet", "Compat", "SetP"] {
      let measure = try Measure(name: name)
      #expect(measure.value(of: found, grades: grades) == measure.value(of: ["a", "b"], grades: grades), "\(name)")
    }
    var run = EvaluationRun()
    run.add(found, for: "1")
    run.add(hits: [.init("a", score: 3), .init("b", score: 2), .init("a", score: 1)], for: "2")
    #expect(run.documents == ["1": ["a", "b"], "2": ["a", "b"]])
    #expect(run.scores == ["1": [2, 1], "2": [3, 2]])
  }
}
