import Testing

@testable import Relevance

@Suite struct CrossValidationTests {
  /// Returns a run in which the relevant document of each query has a rank.
  private func run(_ ranks: [Int]) throws -> MeasuredRun {
    let lines = ranks.indices.map { "\($0) 0 a 1\n" }.joined()
    var run = EvaluationRun()
    for (query, rank) in ranks.enumerated() { run.add((1..<rank).map { "u\($0)" } + ["a"], for: String(query)) }
    return MeasuredRun(
      run, by: try RelevanceJudgements(qrels: lines, name: "q"), [try Measure(name: "RR")])
  }

  @Test func partsAreMeasuredWithTheChoiceOfTheOthers() throws {
    // The first run is best for the queries with even numbers, the second for the others.
    let validation = try #require(
      CrossValidation([try run([1, 4, 1, 4]), try run([4, 1, 4, 1])], measure: 0, folds: 2))
    #expect(validation.chosen == [1, 0] && validation.mean == 0.25)
  }

  @Test func bestRunIsChosen() throws {
    let validation = try #require(CrossValidation([try run([2, 2, 2]), try run([1, 1, 1])], measure: 0, folds: 9))
    #expect(validation.chosen == [1, 1, 1] && validation.mean == 1)
  }

  @Test func tooFewQueriesCannotBeDivided() throws {
    #expect(CrossValidation([try run([1])], measure: 0, folds: 2) == nil)
    #expect(CrossValidation([], measure: 0, folds: 2) == nil)
  }
}
