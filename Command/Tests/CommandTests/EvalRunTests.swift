import Foundation
import Testing

/// Comparing and fusing runs, which needs no database, and options of `concord eval`.
struct EvalRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("qrels", "1 0 a 1\n2 0 a 1\n2 0 b 2\n3 0 c 1\n")
    try folder.write("one.run", "1 Q0 x 1 2 t\n1 Q0 a 2 1 t\n2 Q0 a 1 3 t\n3 Q0 x 1 1 t\n")
    try folder.write("two.run", "1 Q0 a 1 2 t\n2 Q0 b 1 3 t\n2 Q0 a 2 2 t\n3 Q0 c 1 1 t\n")
  }

  private func concord(_ arguments: String...) throws -> CommandResult { try ConcordProcess.run(arguments, in: folder) }

  @Test func compareNeedsNoDatabase() throws {
    let result = try concord(
      "eval", "compare", "one.run", "two.run", "--qrels", "qrels", "--measures", "RR AP", "--json")
    #expect(result.status == 0 && result.lines.count == 2)
    let line = try JSONText(try #require(result.lines.first))
    #expect(line.string("measure") == "RR" && line.string("run") == "two" && line.string("baseline") == "one")
    // RR: 1/2, 1 and 0 for the first run, 1 for each query of the second.
    #expect(line.members["baselineMean"] as? Double == 0.5)
    #expect(line.int("wins") == 2 && line.int("losses") == 0 && line.int("queries") == 3)
  }

  /// The values are those of `ir_measures more one.run "AP NumQ"`.
  @Test func judgedQueriesThatAreInNoRunCountAsZero() throws {
    try folder.write("more", "1 0 a 1\n2 0 a 1\n2 0 b 2\n3 0 c 1\n8 0 a 1\n9 0 a 1\n")
    let result = try concord(
      "eval", "compare", "one.run", "two.run", "--qrels", "more", "--measures", "RR NumQ", "--json")
    #expect(result.messages == "2 judged queries are not in any run and count as 0: 8, 9\n")
    let line = try JSONText(try #require(result.lines.first))
    #expect(line.members["baselineMean"] as? Double == 0.3 && line.int("queries") == 5)
    #expect(try JSONText(result.lines[1]).members["baselineMean"] as? Double == 3)
  }

  @Test func undeterminedStatisticsArePrintedAsDashes() throws {
    try folder.write("single", "1 0 a 1\n")
    let arguments = ["eval", "compare", "one.run", "two.run", "--qrels", "single", "--measures", "RR"]
    let text = try ConcordProcess.run(arguments, in: folder)
    let cells = text.lines.last?.split(separator: " ").map(String.init) ?? []
    #expect(cells == ["RR", "two", "one", "+0.5000", "–", "1", "0", "–", "1.0000", "1.0000", "1"], "\(text.lines)")
    let json = try ConcordProcess.run(arguments + ["--json"], in: folder)
    let line = try JSONText(try #require(json.lines.first))
    #expect(line.members["low"] is NSNull && line.members["effectSize"] is NSNull && line.int("tTest") == 1)
  }

  @Test(arguments: [
    ("text", "measure  run  baseline"), ("markdown", "| measure | run | baseline |"),
    ("latex", "measure & run & baseline"),
  ])
  func tablesHaveFormats(format: String, header: String) throws {
    let result = try concord("eval", "compare", "one.run", "two.run", "--qrels", "qrels", "--format", format)
    #expect(result.status == 0 && result.lines.contains { $0.hasPrefix(header) })
  }

  @Test func reportIsAPageWithPlots() throws {
    #expect(
      try concord("eval", "compare", "one.run", "two.run", "--qrels", "qrels", "--report", "r.html").status == 0)
    let page = String(decoding: try folder.read("r.html"), as: UTF8.self)
    #expect(page.contains("<polyline") && page.contains("<rect") && page.hasSuffix("</html>\n"))
    #expect(!page.contains("http:") || !page.contains("src="))
    let files = try concord("eval", "compare", "one.run", "two.run", "--qrels", "qrels", "--plots", "plots")
    #expect(files.status == 0)
    #expect(String(decoding: try folder.read("plots/precision-recall.svg"), as: UTF8.self).contains("<polyline"))
    #expect(String(decoding: try folder.read("plots/differences-1.svg"), as: UTF8.self).contains("<rect"))
  }

  @Test func fuseWritesARun() throws {
    let result = try concord("eval", "fuse", "one.run", "two.run", "--run", "fused.run", "--tag", "both")
    #expect(result.status == 0)
    let lines = String(decoding: try folder.read("fused.run"), as: UTF8.self).split(separator: "\n")
    #expect(lines.first?.hasPrefix("1 Q0 a 1 0.03252") == true && lines.first?.hasSuffix(" both") == true)
    #expect(lines.count == 6)
  }

  @Test(arguments: [
    (["compare", "one.run", "--qrels", "qrels"], "at least two runs"),
    (["compare", "one.run", "two.run", "--qrels", "qrels", "--measures", "XY"], "there is no measure \"XY\""),
    (["fuse", "one.run", "two.run", "--run", "f", "--weights", "1"], "a number for each of the 2 runs"),
    (["--qrels", "qrels"], "missing expected argument '--queries <file>'"),
    (["--queries", "q", "--qrels", "qrels", "--sweep", "k3=1"], "k1=0.6..2.0/0.2"),
    (["--queries", "q", "--qrels", "qrels", "--sweep", "k1=1..0/1"], "the range 1..0 is empty"),
    (["--queries", "q"], "missing expected argument '--qrels <file>'\nUsage: concord eval "),
    (["compair", "one.run"], "there is no command \"eval compair\"; use compare or fuse\nUsage: concord eval "),
    (["--queries", "q", "--qrels", "qrels", "--sweep", "terms=10:20"], "requires --feedback"),
    (
      ["--queries", "q", "--qrels", "qrels", "--feedback", "--sweep", "documents=1e19"],
      "\"documents=1e19\" is not a parameter with values"
    ),
    (
      ["--queries", "q", "--qrels", "qrels", "--model", "dph", "--sweep", "mu=1:2"], "requires --model dirichlet or sdm"
    ),
    (
      ["--queries", "q", "--qrels", "qrels", "--match", "any", "--syntax", "fts5"],
      "--match applies to search-box syntax"
    ),
    (["fuse", "none.run", "two.run", "--run", "none/x.run"], "none/x.run: there is no folder none"),
    (["--queries", "q", "--qrels", "qrels", "--report", "r.html"], "need --sweep"),
    (["--queries", "q", "--qrels", "qrels", "--tag", "a b"], "--tag takes a name without white space"),
    (["--queries", "q", "--qrels", "qrels", "--tag", "a"], "run that --run writes"),
    (["--queries", "q", "--qrels", "qrels", "--folds", "3"], "--folds requires --sweep"),
    (["--queries", "q", "--qrels", "qrels", "--model", "dph", "--k1", "1"], "model dph has no parameters"),
    (["--queries", "q", "--qrels", "qrels", "--model", "dph", "--sweep", "k1=1"], "model dph has no parameters"),
    (["--queries", "q", "--qrels", "qrels", "--k1", "1", "--sweep", "k1=1:2"], "so --k1 cannot be combined with it"),
    (["--queries", "q", "--qrels", "qrels", "--sweep", "k1=1..2/0"], "must be greater than 0, not 0"),
    (["--queries", "q", "--qrels", "qrels", "--sweep", "k1=1..2/0.00001"], "more than 10000 values"),
    (["--queries", "q", "--qrels", "qrels", "--measures", "ndcg_cut_10"], "names of ir_measures: nDCG@10"),
    (["--queries", "q", "--qrels", "qrels", "--measures", "map"], "names of ir_measures: AP"),
    (["--queries", "q", "--qrels", "qrels", "--run", "none/x.run"], "none/x.run: there is no folder none"),
    (["compare", "one.run", "two.run", "--qrels", "qrels", "--report", "none/r"], "there is no folder none"),
    (["fuse", "one.run", "two.run", "--run", "f", "--weights", "1,-1"], "actor 2, \"-1\", must be"),
    (["--queries", "q", "--qrels", "qrels", "--feedback-model", "bo1"], "--feedback-model requires --feedback"),
  ])
  func wrongArgumentsAreReported(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(["eval"] + arguments, in: folder)
    #expect(result.status == 2 && result.messages.contains(message), "\(result.messages)")
  }

  @Test(arguments: ["f", "./f", "plots/f"])
  func outputPathsMayBeShort(path: String) throws {
    try folder.write("plots/x", "")
    #expect(try concord("eval", "fuse", "one.run", "two.run", "--run", path).status == 0)
    #expect(try concord("eval", "compare", "one.run", "two.run", "--qrels", "qrels", "--report", path).status == 0)
  }

  @Test func gradesThatAreTooHighAreReported() throws {
    try folder.write("high", "1 0 a 5\n")
    let result = try concord("eval", "compare", "one.run", "two.run", "--qrels", "high", "--measures", "ERR@10")
    #expect(result.status == 2 && result.messages.contains("supports grades up to 4; the document \"a\""))
  }

  @Test func sweepCrossValidates() throws {
    try folder.write(
      "d.jsonl",
      """
      {"_id":"a","text":"red shoe shoe"}
      {"_id":"b","text":"red hat"}
      {"_id":"c","text":"x"}

      """)
    try folder.write("q.tsv", "1\tred\n2\tshoe\n3\tx\n")
    #expect(try concord("index", "-q", "d.jsonl").status == 0)
    let result = try concord(
      "eval", "--queries", "q.tsv", "--qrels", "qrels", "--sweep", "k1=0.5..1.5/0.5,b=0:0.75", "--json", "--folds", "3")
    #expect(result.status == 0 && result.lines.count == 7)
    let last = try JSONText(try #require(result.lines.last))
    #expect(last.keys == ["best", "crossValidation", "chosen"])
    let feedback = try concord(
      "eval", "--queries", "q.tsv", "--qrels", "qrels", "--feedback", "--feedback-model", "bo1", "--sweep",
      "terms=5:10,weight=0.5")
    #expect(feedback.status == 0 && feedback.lines.contains { $0.contains("3-fold cross-validation") })
    let plots = try concord(
      "eval", "--queries", "q.tsv", "--qrels", "qrels", "--sweep", "k1=0.5..1.5/0.5,b=0:0.75", "--plots", "plots",
      "--report", "sweep.html")
    #expect(plots.status == 0)
    // A cell for each of the six combinations.
    let map = String(decoding: try folder.read("plots/sweep-1.svg"), as: UTF8.self)
    #expect(map.components(separatedBy: "<rect").count == 7)
    #expect(String(decoding: try folder.read("sweep.html"), as: UTF8.self).contains(map))
    let curve = try concord(
      "eval", "--queries", "q.tsv", "--qrels", "qrels", "--model", "dirichlet", "--sweep", "mu=10:100:1000", "--plots",
      "plots")
    #expect(curve.status == 0 && curve.lines.contains { $0.hasPrefix("best  mu=") })
    #expect(String(decoding: try folder.read("plots/sweep.svg"), as: UTF8.self).contains("<polyline"))
  }
}
