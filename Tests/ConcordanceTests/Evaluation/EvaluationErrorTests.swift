import Concordance
import Foundation
import Testing

/// Evaluation files that cannot be read or written throw public errors.
@Suite struct EvaluationErrorTests {
  @Test func errorsInFilesAreInvalidParameters() throws {
    let faults: [(message: String, body: () throws -> Void)] = [
      (
        "queries, line 1: this line has no tab; write the id of the query, a tab and its text",
        { _ = try EvaluationQuery.parse("1 x") }
      ),
      ("qrels, line 1: the grade \"yes\" is not a whole number", { _ = try RelevanceJudgements(parsing: "1 0 a yes") }),
      ("run, line 1: the score \"high\" is not a finite number", { _ = try EvaluationRun(parsing: "1 Q0 a 1 high x") }),
      (
        "a TREC run cannot contain the document \"my file.md\" of the query \"1\": "
          + "its id is empty or contains white space",
        {
          var run = EvaluationRun()
          run.add(["my file.md"], for: "1")
          _ = try run.text(name: "x")
        }
      ),
    ]
    for fault in faults {
      let error = #expect(throws: CBLError.self) { try fault.body() }
      #expect(error?.code == CBLError.invalidParameter)
      #expect(error?.message == fault.message)
    }
  }
}
