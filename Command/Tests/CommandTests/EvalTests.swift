import Foundation
import Testing

struct EvalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "d.jsonl",
      """
      {"_id":"1","text":"red shoe"}
      {"_id":"2","text":"red hat with a long brim"}
      {"_id":"3","text":"green shoe"}
      {"_id":"4","text":"nothing"}

      """)
    try folder.write("q.tsv", "a\tred\nb\tshoe zeppelin\nc\tabsent\n")
    try folder.write("qrels", "a 0 2 1\nb 0 1 1\nb 0 3 1\nc 0 4 1\n")
    #expect(try folder.concord("index", "-q", "d.jsonl").status == 0)
  }

  private func eval(_ options: String...) throws -> CommandResult {
    try ConcordProcess.run(["eval", "--queries", "q.tsv", "--qrels", "qrels"] + options, in: folder)
  }

  @Test func jsonContainsTheMeansOverAllQueries() throws {
    let result = try eval("--json")
    #expect(result.status == 0 && result.lines.count == 1)
    let line = try JSONText(try #require(result.lines.first))
    #expect(line.keys == ["AP", "nDCG@10", "P@10", "P@30", "R@100", "RR", "unjudged", "queries"])
    // a: the second of two hits is relevant, 0.5; b: both are, 1; c: no hits, 0.
    #expect(line.members["AP"] as? Double == 0.5)
    #expect(line.members["RR"] as? Double == 0.5)
    let precision = try #require(line.members["P@10"] as? Double)
    #expect(abs(precision - 0.1) < 1e-12)
    #expect(line.int("unjudged") == 1 && line.int("queries") == 3)
  }

  @Test func tableListsEveryMeasure() throws {
    let result = try eval()
    let names = result.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(Array(names.prefix(7)) == ["measure", "AP", "nDCG@10", "P@10", "P@30", "R@100", "RR"])
    #expect(result.lines[1].hasSuffix("0.5000"))
    #expect(result.lines.last == "unjudged of the first 10  1")
  }

  @Test func perQueryPrintsTheMeasuresOfEachQuery() throws {
    let lines = try eval("--json", "--per-query").lines
    #expect(lines.count == 4)
    #expect(try lines.prefix(3).map { try JSONText($0).string("query") } == ["a", "b", "c"])
    #expect(try eval("--per-query").lines.contains { $0.hasPrefix("b ") && $0.contains("1.0000") })
  }

  @Test func runFileHasTRECFormat() throws {
    #expect(try eval("--run", "out.run").status == 0)
    let text = String(decoding: try folder.read("out.run"), as: UTF8.self)
    let columns = try #require(text.split(separator: "\n").first).split(separator: " ")
    #expect(columns.count == 6 && columns[..<4] == ["a", "Q0", "1", "1"] && columns[5] == "concord")
    // The score of the search.
    let hit = try JSONText(try #require(try folder.concord("search", "--json", "red").lines.first))
    let score = try #require(hit.members["score"] as? Double)
    #expect(abs((Double(columns[4]) ?? 0) - score) < 1e-9)
    #expect(text.split(separator: "\n").count == 4)
  }

  /// A run that cannot be written must not discard the measures.
  @Test func measuresArePrintedBeforeTheRunIsWritten() throws {
    try folder.write("e.jsonl", "{\"_id\":\"my file\",\"text\":\"red\"}\n")
    #expect(try folder.concord("index", "-q", "e.jsonl").status == 0)
    let result = try eval("--run", "out.run")
    #expect(result.status == 2 && result.lines.last?.hasPrefix("unjudged") == true, "\(result.messages)")
    #expect(result.messages.contains("the document \"my file\" of the query \"a\""), "\(result.messages)")
  }

  @Test func baselineIsComparedQueryByQuery() throws {
    try folder.write("old.run", "a Q0 2 1 9 x\na Q0 1 2 8 x\n")
    let line = try JSONText(try #require(try eval("--json", "--baseline", "old.run").lines.first))
    let compared = try #require((line.object("baseline"))?["AP"] as? [String: Any])
    #expect(compared["better"] as? Int == 1 && compared["worse"] as? Int == 1)
    #expect(try eval("--baseline", "old.run").lines.first?.contains("baseline") == true)
  }

  @Test func errorsInFilesAreReportedWithTheirLine() throws {
    try folder.write("bad.tsv", "a\tred\nb shoe\n")
    let queries = try folder.concord("eval", "--queries", "bad.tsv", "--qrels", "qrels")
    #expect(queries.status == 2 && queries.output.isEmpty)
    #expect(queries.messages.contains("bad.tsv, line 2: this line has no tab"))
    try folder.write("bad.qrels", "a 0 2\n")
    let qrels = try folder.concord("eval", "--queries", "q.tsv", "--qrels", "bad.qrels")
    #expect(qrels.status == 2 && qrels.messages.contains("bad.qrels, line 1: a judgement has four columns"))
    #expect(try eval("--baseline", "bad.qrels").messages.contains("bad.qrels, line 1: a hit has six columns"))
    #expect(try folder.concord("eval", "--queries", "none.tsv", "--qrels", "qrels").messages.contains("none.tsv"))
  }

  @Test func topicFieldsRequireTopics() throws {
    let result = try eval("--topic-fields", "description")
    #expect(result.status == 2 && result.messages.contains("q.tsv: --topic-fields applies to TREC topics"))
  }

  @Test func topicsInXMLAreRead() throws {
    try folder.write(
      "topics.xml",
      """
      <topics>
        <topic number="a"><query>red</query><question>green</question></topic>
        <topic number="b"><query>shoe</query><question>hat</question></topic>
      </topics>

      """)
    func precision(_ options: String...) throws -> Double? {
      let arguments = ["eval", "--queries", "topics.xml", "--qrels", "qrels", "--measures", "RR", "--json"]
      let result = try ConcordProcess.run(arguments + options, in: folder)
      #expect(result.status == 0, "\(result.messages)")
      return try JSONText(try #require(result.lines.first)).members["RR"] as? Double
    }
    // a: the second hit for red is relevant; b: the first hit for shoe is.
    #expect(try precision() == 0.5)
    #expect(try precision("--topic-fields", "query") == 0.5)
    #expect(try precision("--topic-fields", "question") == 0)
    try folder.write("bad.xml", "<topics>\n<topic number=\"a\">\n<query>red</topic></topics>\n")
    let bad = try folder.concord("eval", "--queries", "bad.xml", "--qrels", "qrels")
    #expect(bad.status == 2)
    #expect(bad.messages == "concord: bad.xml, line 3: </topic> where </query> of line 3 is expected\n")
  }

  /// A document that has only one of two words is found on request.
  @Test func anyWordOfAQueryMatches() throws {
    try folder.write("two.tsv", "a\tlong shoe\n")
    try folder.write("two.qrels", "a 0 1 1\na 0 2 1\na 0 3 1\n")
    func found(_ options: String...) throws -> Double? {
      let arguments = ["eval", "--queries", "two.tsv", "--qrels", "two.qrels", "--measures", "NumRelRet", "--json"]
      return try JSONText(try #require(try ConcordProcess.run(arguments + options, in: folder).lines.first))
        .members["NumRelRet"] as? Double
    }
    try folder.write("more.jsonl", "{\"_id\":\"5\",\"text\":\"a long shoe\"}\n")
    #expect(try folder.concord("index", "-q", "more.jsonl").status == 0)
    #expect(try found() == 0 && found("--match", "any") == 3)
  }

  @Test func judgementsOfOtherQueriesAreAnError() throws {
    try folder.write("other", "z 0 1 1\n")
    let result = try folder.concord("eval", "--queries", "q.tsv", "--qrels", "other")
    #expect(result.status == 2 && result.messages.contains("do the query ids match?"))
  }

  @Test func queriesWithoutJudgementsAreSkipped() throws {
    try folder.write("some", "a 0 2 1\nb 0 1 0\n")
    let result = try folder.concord("eval", "--queries", "q.tsv", "--qrels", "some", "--json")
    #expect(result.messages.contains("1 query skipped"))
    #expect(try JSONText(try #require(result.lines.first)).int("queries") == 2)
  }

  /// As with `trec_eval -c` and ir_measures.
  @Test func judgedQueriesThatAreNotRunCountAsZero() throws {
    try folder.write("more", "a 0 2 1\nb 0 1 1\nb 0 3 1\nc 0 4 1\n9 0 1 1\n")
    let arguments = ["eval", "--queries", "q.tsv", "--qrels", "more", "--measures", "AP NumQ NumRel", "--json"]
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.messages.contains("1 judged query is not in q.tsv and counts as 0: 9\n"))
    let line = try JSONText(try #require(result.lines.first))
    #expect(line.members["AP"] as? Double == 0.375 && line.int("queries") == 4)
    // Counts are those of queries with hits.
    #expect(line.members["NumQ"] as? Double == 2 && line.members["NumRel"] as? Double == 3)
    let sweep = try JSONText(
      try #require(try ConcordProcess.run(arguments + ["--sweep", "k1=1.2"], in: folder).lines.first))
    #expect(sweep.members["AP"] as? Double == 0.375)
  }

  @Test func searchSupportsFeedbackAndLike() throws {
    #expect(try folder.search("red hat", "--feedback").first == "2")
    let like = try folder.concord("search", "--json", "--like", "1")
    #expect(try like.lines.map { try JSONText($0).string("id") } == ["3", "2"])
    #expect(try folder.concord("search", "--like", "none").messages.contains("there is no document \"none\""))
    #expect(try folder.concord("search", "--like", "1", "red").status == 2)
    let relaxed = try folder.concord("search", "--json", "red zeppelin")
    #expect(relaxed.lines.count == 2 && relaxed.messages.contains("any of the words"))
  }
}
