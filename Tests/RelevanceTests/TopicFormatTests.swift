import TestSupport
import Testing

@testable import Relevance

@Suite struct TopicFormatTests {
  private static let topics = """
    <top>
    <num> Number: 301
    <title> International Organized
     Crime

    <desc> Description:
    Identify organizations with a < b.
    <narr> Narrative: A relevant document…
    </top>
    <TOP><num>302</num><title>Polio</title></TOP>

    """

  private func queries(_ text: String, _ fields: EvaluationQuery.TopicFields = .title) throws -> [EvaluationQuery] {
    try EvaluationQuery.queries(in: text, name: "t", fields: fields)
  }

  @Test func topicsOfTRECAreRead() throws {
    #expect(
      try queries(TopicFormatTests.topics) == [
        EvaluationQuery(id: "301", text: "International Organized Crime"), EvaluationQuery(id: "302", text: "Polio"),
      ])
    #expect(
      try queries(TopicFormatTests.topics, .titleAndDescription).first?.text
        == "International Organized Crime Identify organizations with a < b.")
  }

  @Test func labelsMayBeJoinedToTheText() throws {
    let text = "<top>\n<num> NUMBER:301\n<title>Topic:\n numbers\n</top>\n"
    #expect(try queries(text) == [EvaluationQuery(id: "301", text: "numbers")])
  }

  /// The time of the search for tags grew with the square of the number of `<` in a line.
  @Test func longLinesOfOpenTagsAreReadInLinearTime() throws {
    let isLinear = try takesLinearTime(50_000) { count in
      let text = String(repeating: "<", count: count)
      try #expect(queries("<top><num>1<title>\(text)a>\n</top>\n").first?.text == "\(text)a>")
    }
    #expect(isLinear)
  }

  @Test func jsonLinesAreRead() throws {
    let text = "{\"_id\":\"PLAIN-2\",\"text\":\"statins\",\"metadata\":{}}\n{\"id\":7,\"query\":\"tea\"}\n"
    #expect(
      try queries(text) == [EvaluationQuery(id: "PLAIN-2", text: "statins"), EvaluationQuery(id: "7", text: "tea")])
  }

  @Test func linesWithTabsAreRead() throws {
    #expect(try queries("1\ttea\n") == [EvaluationQuery(id: "1", text: "tea")])
  }

  @Test(arguments: [
    ("<top>\n<num> 1\n<title> x\n", "t, line 1: the topic has no </top>"),
    ("<top>\n<title> x\n</top>\n", "t, line 1: the topic has no <num>"),
    ("<top><num>1<title></top>\n", "t, line 1: the query \"1\" has no text"),
    (
      "{\"_id\":\"1\"}\n", "t, line 1: the query needs the properties _id and text, which are strings or integers"
    ),
    (
      "{\"_id\":true,\"text\":\"x\"}\n",
      "t, line 1: the query needs the properties _id and text, which are strings or integers"
    ),
    ("{\"_id\":\"1\",\"text\":\"x\"}\n{\n", "t, line 2: this line is not a JSON object"),
  ])
  func malformedTopicsThrow(text: String, message: String) {
    let error = #expect(throws: EvaluationFileError.self) { try queries(text) }
    #expect(error?.description == message)
  }

  @Test func judgementsOfBEIRHaveThreeColumns() throws {
    let text = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td1\t0\n"
    let judgements = try RelevanceJudgements(qrels: text, name: "q")
    #expect(judgements.grades == ["q1": ["d1": 2], "q2": ["d1": 0]] && judgements.queries == ["q1", "q2"])
    let error = #expect(throws: EvaluationFileError.self) {
      try RelevanceJudgements(qrels: "query-id corpus-id score\n1 0 d 1\n", name: "q")
    }
    #expect(
      error?.description == "q, line 2: a judgement has three columns (query-id, corpus-id, score); this line has 4")
  }
}
