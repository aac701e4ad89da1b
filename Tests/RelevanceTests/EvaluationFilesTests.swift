import Testing

@testable import Relevance

@Suite struct EvaluationFilesTests {
  @Test func queryLinesAreIDTabText() throws {
    let queries = try EvaluationQuery.queries(inLines: "\u{FEFF}1\twhat is it ?\r\n\n2a\ta\ttab\n", name: "q")
    #expect(queries == [EvaluationQuery(id: "1", text: "what is it ?"), EvaluationQuery(id: "2a", text: "a\ttab")])
  }

  @Test(arguments: [
    ("1\tx\n2 y\n", "t.tsv, line 2: this line has no tab; write the id of the query, a tab and its text"),
    ("\tx\n", "t.tsv, line 1: the id of a query must not be empty or contain white space"),
    ("a b\tx\n", "t.tsv, line 1: the id of a query must not be empty or contain white space"),
    ("1\tx\n\n2\t \n", "t.tsv, line 3: the query \"2\" has no text"),
    ("1\tx\n1\ty\n", "t.tsv, line 2: the query \"1\" was already defined in line 1"),
  ])
  func malformedQueriesThrow(text: String, message: String) {
    let error = #expect(throws: EvaluationFileError.self) { try EvaluationQuery.queries(inLines: text, name: "t.tsv") }
    #expect(error?.description == message)
  }

  @Test func judgementsHaveFourColumns() throws {
    let judgements = try RelevanceJudgements(qrels: "1 0 a 2\n1\t0\tb\t0\n  2 Q0 a -1\n1 0 a 2\n", name: "q")
    #expect(judgements.grades == ["1": ["a": 2, "b": 0], "2": ["a": -1]])
    #expect(judgements.relevantCount(of: "1") == 1 && judgements.relevantCount(of: "2") == 0)
  }

  @Test(arguments: [
    ("1 0 a 1\n1 0 b\n", "q, line 2: a judgement has four columns (query, 0, document, grade); this line has 3"),
    ("1 0 a yes\n", "q, line 1: the grade \"yes\" is not a whole number"),
    ("1 0 a 1\n1 0 a 0\n", "q, line 2: the document \"a\" was already judged 1 for the query \"1\""),
  ])
  func malformedJudgementsThrow(text: String, message: String) {
    let error = #expect(throws: EvaluationFileError.self) { try RelevanceJudgements(qrels: text, name: "q") }
    #expect(error?.description == message)
  }

  @Test func runRoundTrips() throws {
    var run = EvaluationRun()
    run.add(["b", "a", "c"], for: "2")
    run.add(["a"], for: "1")
    let text = try run.trecText(name: "x")
    #expect(text == "2 Q0 b 1 3 x\n2 Q0 a 2 2 x\n2 Q0 c 3 1 x\n1 Q0 a 1 1 x\n")
    let read = try EvaluationRun(trecRun: text, name: "r")
    #expect(read.documents == run.documents && read.queries == ["2", "1"])
  }

  @Test func runIsOrderedByScore() throws {
    let run = try EvaluationRun(trecRun: "1 Q0 a 1 0.5 x\n1 Q0 b 2 2e1 x\n1 Q0 c 3 0.5 x\n", name: "r")
    #expect(run.documents == ["1": ["b", "a", "c"]])
  }

  @Test(arguments: [
    ("1 Q0 a 1 2\n", "r, line 1: a hit has six columns (query, Q0, document, rank, score, name); this line has 5"),
    ("1 Q0 a 1 high x\n", "r, line 1: the score \"high\" is not a finite number"),
    ("1 Q0 a 1 inf x\n", "r, line 1: the score \"inf\" is not a finite number"),
    ("1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "r, line 2: the document \"a\" is listed twice for the query \"1\""),
  ])
  func malformedRunsThrow(text: String, message: String) {
    let error = #expect(throws: EvaluationFileError.self) { try EvaluationRun(trecRun: text, name: "r") }
    #expect(error?.description == message)
  }

  @Test(arguments: ["", "a b", "a\nb", "\u{A0}"]) func namesAndQueriesThatAreNotColumnsThrow(text: String) throws {
    var run = EvaluationRun()
    run.add(["a"], for: "1")
    #expect(try run.trecText(name: "x") == "1 Q0 a 1 1 x\n")
    let name = #expect(throws: EvaluationFileError.self) { try run.trecText(name: text) }
    #expect(name?.description.contains("the name of a TREC run") == true)
    run.add(["a"], for: text)
    let query = #expect(throws: EvaluationFileError.self) { try run.trecText(name: "x") }
    #expect(query?.description.contains("cannot contain the query \"\(text)\"") == true)
  }

  @Test func idsWithWhiteSpaceThrow() {
    var run = EvaluationRun()
    run.add(["my file.md"], for: "1")
    let error = #expect(throws: EvaluationFileError.self) { try run.trecText(name: "x") }
    #expect(
      error?.description
        == "a TREC run cannot contain the document \"my file.md\" of the query \"1\": "
        + "its id is empty or contains white space")
  }
}
