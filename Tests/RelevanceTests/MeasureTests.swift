import Foundation
import Testing

@testable import Relevance

/// Compares measures with the values that ir_measures 0.4.3 returned for the same run and judgements.
@Suite struct MeasureTests {
  private static let qrels = """
    1 0 d5 0\n1 0 d2 1\n1 0 d6 2\n1 0 d0 0\n1 0 d1 2\n1 0 d9 0\n1 0 d4 0
    2 0 d2 2\n2 0 d4 0\n2 0 d6 0\n2 0 d11 2\n2 0 d1 2\n2 0 d10 0\n2 0 d8 1
    3 0 d7 1\n3 0 d5 0\n3 0 d11 1\n3 0 d4 0\n3 0 d1 1\n3 0 d0 1\n3 0 d8 0

    """

  /// Query 3 has no hits.
  private static let run = """
    1 Q0 d7 1 8.79 t\n1 Q0 d3 2 8.53 t\n1 Q0 d1 3 7.44 t\n1 Q0 d11 4 5.65 t\n1 Q0 d0 5 5.19 t
    1 Q0 d4 6 3.57 t\n1 Q0 d10 7 2.01 t\n1 Q0 d6 8 1.11 t\n1 Q0 d9 9 0.42 t
    2 Q0 d11 1 8.31 t\n2 Q0 d5 2 7.02 t\n2 Q0 d1 3 7.0 t\n2 Q0 d8 4 4.19 t\n2 Q0 d0 5 3.25 t
    2 Q0 d6 6 2.7 t\n2 Q0 d3 7 2.24 t\n2 Q0 d7 8 1.62 t\n2 Q0 d4 9 0.74 t

    """

  private func mean(_ name: String) throws -> Double {
    let run = try EvaluationRun(trecRun: MeasureTests.run, name: "run")
    let judgements = try RelevanceJudgements(qrels: MeasureTests.qrels, name: "qrels")
    return try MeasuredRun(run, by: judgements, [Measure(name: name)]).means[0]
  }

  @Test(arguments: [
    ("AP", 0.26620370370370366), ("AP(rel=2)@5", 0.2407407407407407), ("MAP", 0.26620370370370366),
    ("nDCG", 0.3882119044718609), ("nDCG@3", 0.3232480238878435),
    ("nDCG(gains={0:0,1:3,2:1})@10", 0.2698254275636094), ("P@5", 0.26666666666666666),
    ("P(judged_only=True)@3", 0.4444444444444444), ("R@10", 0.47222222222222215), ("RR", 0.4444444444444444),
    ("RR(rel=2)@5", 0.4444444444444444), ("Rprec", 0.3611111111111111), ("Success@1", 0.3333333333333333),
    ("Bpref", 0.39814814814814814), ("infAP", 0.266203263896219), ("IPrec@0.5", 0.3333333333333333),
    ("IPrec(recall=0.5)", 0.3333333333333333),
    ("Judged@10", 0.3703703703703704), ("RBP(p=0.8, rel=1)", 0.2001143466666666), ("SetP", 0.1851851851851852),
    ("SetR", 0.47222222222222215), ("SetF", 0.26495726495726496), ("SetF(beta=0.5)", 0.23160173160173161),
    ("SetAP", 0.13271604938271606), ("SetP(relative=True)", 0.47222222222222215), ("NumRet", 18), ("NumRel", 7),
    ("NumRelRet", 5), ("Compat(p=0.8)", 0.30765392986878176),
  ])
  func measureEqualsThatOfIRMeasures(name: String, expected: Double) throws {
    #expect(abs(try mean(name) - expected) < 1e-14)
  }

  @Test func orderOfParametersHasNoEffect() throws {
    let one = try mean("SetP(judged_only=True, relative=True)")
    let other = try mean("SetP(relative=True, judged_only=True)")
    #expect(one == other && one > 0)
  }

  /// gdeval prints five decimal places.
  @Test(arguments: [("ERR@20", 0.11004666666666667), ("nDCG(dcg='exp-log2')@10", 0.39208333333333334)])
  func measureEqualsThatOfGdeval(name: String, expected: Double) throws {
    #expect(abs(try mean(name) - expected) < 5e-6)
  }

  @Test(arguments: [
    ("XYZ@3", "there is no measure \"XYZ\""), ("P", "the measure \"P\" needs a cutoff, as in \"P@10\""),
    ("P@0", "the cutoff of \"P@0\" is a whole number from 1, not \"0\""),
    ("Rprec@3", "the measure \"Rprec\" has no cutoff"), ("AP(p=3)", "the measure \"AP(p=3)\" has no parameter \"p\""),
    ("RBP(p=2)", "p of the measure \"RBP(p=2)\" is between 0 and 1, not \"2\""),
    ("IPrec", "needs a recall from 0 to 1"), ("IPrec(rel=2)", "needs a recall from 0 to 1"),
    ("IPrec(cutoff=0.1)", "has no parameter \"cutoff\""), ("nDCG(gains={a})", "gains of the measure"),
    ("AP(rel=1", "write NAME"),
    ("AP10)", "there is no measure \"AP10)\""), ("", "there is no measure \"\""),
    ("nDCG(dcg='exp-log2', gains={1:2000})@10", "are exponents of 2, so they are at most 60, not 2000"),
  ])
  func malformedNameThrows(name: String, message: String) {
    let error = #expect(throws: MeasureError.self) { try Measure(name: name) }
    #expect(error?.description.contains(message) == true)
  }

  @Test func gradesThatAreTooHighAreReported() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 4\n1 0 b 5\n2 0 c 1100\n", name: "qrels")
    func message(_ name: String) throws -> String? {
      let measure = try Measure(name: name)
      return #expect(throws: MeasureError.self) { try measure.check(judgements) }?.description
    }
    #expect(
      try message("ERR@10")
        == "the measure \"ERR@10\" supports grades up to 4; the document \"b\" has the grade 5 for the query \"1\"")
    #expect(try message("nDCG(dcg='exp-log2')@10")?.contains("up to 60; the document \"c\"") == true)
    for name in ["nDCG@10", "AP", "nDCG(dcg='exp-log2', gains={1100:6})@10"] {
      try Measure(name: name).check(judgements)
    }
  }

  @Test func gradesThatAreTooHighCountAsTheHighest() throws {
    let error = try Measure(name: "ERR@10")
    #expect(
      error.value(of: ["a", "b"], grades: ["a": 5, "b": 9]) == error.value(of: ["a", "b"], grades: ["a": 4, "b": 4]))
    let gain = try Measure(name: "nDCG(dcg='exp-log2')@10")
    #expect(
      gain.value(of: ["a"], grades: ["a": 1100, "b": 1100]) < 1 && gain.value(of: ["a"], grades: ["a": 1100]) == 1)
  }

  /// trec_eval reads both grades as "in the pool, but not judged".
  @Test func inferredPrecisionTakesNegativeGradesAsUnjudged() throws {
    let measure = try Measure(name: "infAP")
    let found = ["a", "b", "c", "d"]
    let values = [-1, -2].map { measure.value(of: found, grades: ["a": 0, "b": $0, "c": 1, "d": $0]) }
    #expect(values[0] == values[1] && values[0] > 0)
  }

  @Test func tiesAreOrderedAsInTRECEval() throws {
    // trec_eval reads scores with single precision and puts the higher id first.
    let run = try EvaluationRun(trecRun: "1 Q0 a 1 1.00000001 x\n1 Q0 b 2 1 x\n", name: "run")
    let judgements = try RelevanceJudgements(qrels: "1 0 b 1\n", name: "qrels")
    let names = ["RR", "RR@10"]
    #expect(try MeasuredRun(run, by: judgements, names.map { try Measure(name: $0) }).means == [1, 0.5])
  }

  @Test func tiesAreOrderedAsInGdeval() throws {
    // gdeval reads scores with double precision and puts the higher id first.
    let judgements = try RelevanceJudgements(qrels: "1 0 b 1\n", name: "qrels")
    let measures = try ["ERR@1", "nDCG(dcg='exp-log2')@1", "nDCG@1"].map { try Measure(name: $0) }
    func isFound(_ score: String) throws -> [Bool] {
      let run = try EvaluationRun(trecRun: "1 Q0 a 1 \(score) x\n1 Q0 b 2 1 x\n", name: "run")
      return MeasuredRun(run, by: judgements, measures).means.map { $0 > 0 }
    }
    #expect(try isFound("1.00000001") == [false, false, true])
    #expect(try isFound("1") == [true, true, true])
  }

  @Test func queriesOfOtherRunsDoNotCount() throws {
    let run = try EvaluationRun(trecRun: "1 Q0 a 1 2 x\n9 Q0 a 1 2 x\n", name: "run")
    let judgements = try RelevanceJudgements(qrels: "1 0 a 1\n2 0 a 1\n", name: "qrels")
    let measured = MeasuredRun(run, by: judgements, [try Measure(name: "RR")])
    #expect(measured.queries == ["1", "2"] && measured.means == [0.5])
    #expect(measured.value(0, "9") == 0 && measured.value(7, "1") == 0)
  }
}
