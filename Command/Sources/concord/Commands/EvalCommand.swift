import ArgumentParser
import Concordance
import Foundation

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Measure the relevance of search results.",
    discussion: """
      Runs each query and compares the hits with relevance judgements. Each line of the queries has an id, a tab and a \
      text; the judgements are in TREC format: query, 0, document, grade.

        $ concord eval --queries queries.tsv --qrels qrels.txt
        $ concord eval --queries queries.tsv --qrels qrels.txt --run before.run
        $ concord eval --queries queries.tsv --qrels qrels.txt --feedback --baseline before.run

      Prints the means over all judged queries: AP, nDCG@10, P@10, P@30, R@100 and RR as trec_eval defines them, and \
      the number of hits among the first ten that have no judgement. With --json, prints one object.

      Exit status: 0 done, 2 error.
      """)

  @Option(
    help: ArgumentHelp("The queries: one per line, an id, a tab and the text.", valueName: "tsv"), completion: .file())
  var queries: String

  @Option(help: ArgumentHelp("The judgements.", valueName: "trec"), completion: .file())
  var qrels: String

  @Option(
    name: .customLong("run"), help: ArgumentHelp("Write the hits to this file as a TREC run.", valueName: "file"),
    completion: .file())
  var runFile: String?

  @Option(
    help: ArgumentHelp("Compare with the hits in this file, query by query.", valueName: "run"), completion: .file())
  var baseline: String?

  @Option(help: ArgumentHelp("The number of hits per query.", valueName: "count"))
  var depth = 1000

  @Option(help: ArgumentHelp("Search only in these fields.", valueName: "a,b"))
  var fields: FieldList?

  @Option(help: ArgumentHelp("Weight matches in a field more or less; may be repeated.", valueName: "field=factor"))
  var weight: [FieldWeight] = []

  @Option(help: ArgumentHelp("The query language: that of a search box, or FTS5.", valueName: "syntax"))
  var syntax = QuerySyntax.box

  @Flag(help: "Expand each query with typical words of its best hits.")
  var feedback = false

  @Option(help: ArgumentHelp("The index, if the collection has several.", valueName: "name"))
  var index: String?

  @Flag(help: "Also print the measures of each query.")
  var perQuery = false

  @Flag(help: "Print a JSON object; with --per-query, preceded by one per query.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if depth < 1 { throw ValidationError("--depth takes 1 or more, not \(depth).") }
  }

  func run() throws {
    let messages = global.makeMessages()
    let topics = try EvaluationQuery.parse(InputText.read(queries), name: queries)
    guard !topics.isEmpty else { throw CommandFailure("\(queries): the file contains no queries") }
    let judgements = try RelevanceJudgements(parsing: InputText.read(qrels), name: qrels)
    let earlier = try baseline.map { path in
      Evaluation(
        of: try EvaluationRun(parsing: InputText.read(path), name: path), by: judgements, queries: topics.map(\.id))
    }
    let collection = try global.collection(in: try global.openForReading())
    let start = ContinuousClock.now
    let found = try collection.run(topics, settings, depth: depth)
    let seconds = start.duration(to: .now) / .seconds(1)
    if let runFile { try write(found, to: runFile) }
    let evaluation = Evaluation(of: found, by: judgements)
    guard !evaluation.queries.isEmpty else {
      throw CommandFailure(
        "\(qrels): no document was judged for any query of \(queries); do the ids of queries agree?")
    }
    if !evaluation.skippedQueries.isEmpty {
      let count = Quantity.count(evaluation.skippedQueries.count, "query", plural: "queries")
      messages.warning("\(count) skipped: \(qrels) has no judgements for them")
    }
    let output = StandardOutput()
    let printer = EvaluationPrinter(evaluation, earlier, found, style: global.outputStyle)
    output.write(json ? printer.json(perQuery: perQuery) : printer.text(perQuery: perQuery))
    output.flush()
    messages.note("\(Quantity.count(topics.count, "query", plural: "queries")), \(Quantity.seconds(seconds))")
  }

  private var settings: SearchRequest {
    var request = SearchRequest("", syntax: syntax.syntax)
    request.index = index
    request.fields = fields?.names
    request.weights = weight.factors
    request.feedback = feedback ? RelevanceFeedback() : nil
    return request
  }

  private func write(_ found: EvaluationRun, to path: String) throws {
    let output = try ResultOutput(path: path)
    try output.write(try found.text(name: "concord").utf8)
    try output.finish()
  }
}
