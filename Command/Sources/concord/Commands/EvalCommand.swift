import ArgumentParser
import Concordance
import Foundation

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Measure the relevance of search results.",
    discussion: """
      Runs each query and evaluates its hits with relevance judgements.

        $ concord eval --queries queries.tsv --qrels qrels.txt
        $ concord eval --queries queries.tsv --qrels qrels.txt --run before.run
        $ concord eval --queries queries.tsv --qrels qrels.txt --feedback \\
            --baseline before.run
        $ concord eval --queries topics.txt --qrels qrels.txt \\
            --measures 'AP nDCG@20 RBP(p=0.8) Bpref'
        $ concord eval --queries queries.tsv --qrels qrels.txt \\
            --sweep k1=0.6..2.0/0.2,b=0.3..0.9/0.1
        $ concord eval compare before.run after.run --qrels qrels.txt
        $ concord eval fuse bm25.run rm3.run --run fused.run

      The queries are lines with an id, a tab and a text, TREC topics (<top>, or XML with <topic number="1">), or JSON \
      Lines with _id and text. The \
      judgements are in TREC's format (query, 0, document, grade) or BEIR's (query-id, corpus-id, score, with a header).

      Prints the means over all judged queries, by default AP, nDCG@10, P@10, P@30, R@100 and RR, and the number of \
      hits among the first ten that have no judgement. A judged query that is not in the query file counts as 0. \
      Measures have the names and definitions of ir_measures. With --json, prints one object.

      --sweep runs the queries for every combination of the values of k1, b, documents, terms and weight, and of the \
      parameters mu, lambda and c of --model. Values are \
      written FROM..TO/STEP or V1:V2:V3; documents, terms and weight are parameters of --feedback. \
      It prints the first measure of each combination, and the mean of a \
      cross-validation: the queries are divided into --folds parts, and each part is measured with the combination \
      that is best for the others. --report writes an HTML page with a curve or heat maps, and --plots SVG files; \
      plots show only the first measure.

      Exit status: 0 done, 2 error.
      """,
    subcommands: [EvalCompareCommand.self, EvalFuseCommand.self])

  @Option(
    help: ArgumentHelp("The queries: lines with id, tab and text, TREC topics, or JSON Lines.", valueName: "file"),
    completion: .file())
  var queries: String?

  @Option(
    help: ArgumentHelp(
      "The parts of TREC topics to search for: title (default) or query, description or question, and narrative; "
        + "several are joined by +, as in title+description, or all.",
      valueName: "parts"))
  var topicFields: EvaluationQuery.TopicFields?

  @Option(
    help: ArgumentHelp("Compare with the hits in this file, query by query.", valueName: "run"), completion: .file())
  var baseline: String?

  @Option(
    help: ArgumentHelp("Run the queries for all combinations of parameters.", valueName: "name=values,…"),
    transform: SweepArgument.init(parsing:))
  var sweep: SweepArgument?

  @Option(
    help: ArgumentHelp("The number of parts in the cross-validation of --sweep, by default 5.", valueName: "count"))
  var folds: Int?

  @Option(help: ArgumentHelp("Search only in these fields.", valueName: "a,b"))
  var fields: FieldList?

  @Option(
    help: ArgumentHelp("Weight matches in a field more or less; may be repeated.", valueName: "field=factor"),
    transform: FieldWeight.init(parsing:))
  var weight: [FieldWeight] = []

  @Option(help: ArgumentHelp("The query language: search-box syntax or FTS5 syntax.", valueName: "syntax"))
  var syntax = QuerySyntax.box

  @OptionGroup
  var judged: JudgementOptions

  @OptionGroup
  var plots: PlotOptions

  @OptionGroup
  var output: RunOptions

  @OptionGroup
  var ranking: RankingOptions

  @Option(help: ArgumentHelp("The full-text index; by default the only one, or `search`.", valueName: "name"))
  var index: String?

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if let folds, folds < 2 { throw ValidationError("--folds takes 2 or more, not \(folds).") }
    try ranking.refuseMatch(in: syntax)
    guard sweep != nil else { return }
    for (name, isGiven) in [
      ("--run", output.runFile != nil), ("--baseline", baseline != nil), ("--per-query", judged.perQuery),
    ]
    where isGiven {
      throw ValidationError("--sweep evaluates many runs, so \(name) cannot be combined with it.")
    }
    if sweep?.needsFeedback == true, !ranking.feedback {
      throw ValidationError("--sweep of documents, terms or weight requires --feedback.")
    }
    let fixed: [(SweepArgument.Parameter, option: String, isGiven: Bool)] = [
      (.k1, "--k1", ranking.k1 != nil), (.b, "--b", ranking.b != nil), (.mu, "--mu", ranking.model.mu != nil),
      (.lambda, "--lambda", ranking.model.lambda != nil), (.c, "--c", ranking.model.c != nil),
      (.documents, "--feedback-documents", ranking.feedbackDocuments != nil),
      (.terms, "--feedback-terms", ranking.feedbackTerms != nil),
      (.weight, "--feedback-weight", ranking.feedbackWeight != nil),
    ]
    for (parameter, option, isGiven) in fixed where isGiven && sweep?.parameters.contains(parameter) == true {
      throw ValidationError("--sweep varies \(parameter.rawValue), so \(option) cannot be combined with it.")
    }
    if let model = ranking.model.model { try refuseUnusedParameters(of: model) }
  }

  /// Throws if the sweep varies a parameter that the model does not have.
  private func refuseUnusedParameters(of model: RankingModel) throws {
    guard let parameter = sweep?.unusedParameter(of: model) else { return }
    let models = parameter.model?.models ?? ["bm25"]
    throw ValidationError(
      "--sweep of \(parameter.rawValue) requires --model \(models.joined(separator: " or ")). \(model.parametersText)")
  }

  func run() throws {
    // Not required by the declarations because the subcommands take different options.
    guard let queries else { throw ValidationError("Missing expected argument '--queries <file>'") }
    // Not in `validate`, which also runs for the subcommands.
    if plots.isGiven, sweep == nil {
      throw ValidationError("--report and --plots need --sweep, or `concord eval compare` with runs.")
    }
    if folds != nil, sweep == nil { throw ValidationError("--folds requires --sweep.") }
    if output.tag != nil, output.runFile == nil { throw ValidationError("--tag names the run that --run writes.") }
    let qrels = try judged.path()
    try plots.prepare()
    if let path = output.runFile { try PlotOptions.requireWritable(path) }
    let measures = judged.measures.measures
    let messages = global.makeMessages()
    let queryText = try InputText.read(queries)
    if topicFields != nil, !queryText.contains(/<(?:top>|topic[\s>])/.ignoresCase()) {
      throw CommandFailure(
        "\(queries): --topic-fields applies to TREC topics (<top> or <topic>), which this file does not contain")
    }
    let topics = try EvaluationQuery.parse(queryText, name: queries, fields: topicFields ?? .title)
    guard !topics.isEmpty else { throw CommandFailure("\(queries): the file contains no queries") }
    let judgements = try RelevanceJudgements(parsing: InputText.read(qrels), name: qrels)
    for measure in measures { try measure.validate(judgements) }
    let judgedTopics = topics.filter { judgements.grades[$0.id] != nil }
    guard !judgedTopics.isEmpty else {
      throw CommandFailure(
        "\(qrels): no document was judged for any query of \(queries); do the query ids match?")
    }
    if judgedTopics.count < topics.count {
      let count = Quantity.count(topics.count - judgedTopics.count, "query", plural: "queries")
      messages.warning("\(count) skipped: \(qrels) has no judgements for them")
    }
    let topicIDs = Set(topics.map(\.id))
    let missing = judgements.queries.filter { !topicIDs.contains($0) }
    if let note = MissingQueries.note(missing, place: "in \(queries)") { messages.note(note) }
    let ids = judgedTopics.map(\.id) + missing
    let earlier = try baseline.map { path in
      MeasuredRun(
        try EvaluationRun(parsing: InputText.read(path), name: path), by: judgements, measures, queries: ids)
    }
    let collection = try global.collection(in: try global.openForReading())
    let settings = try settings(in: collection)
    if let model = settings.model { try refuseUnusedParameters(of: model) }
    let start = ContinuousClock.now
    let standardOutput = StandardOutput()
    if let sweep {
      let result = try ParameterSweep(
        collection, judgedTopics, judgements, settings, depth: output.depth, measures, evaluated: ids
      )
      .run(sweep.combinations, messages)
      let printer = SweepPrinter(result, folds: folds ?? 5, style: global.outputStyle)
      standardOutput.write(judged.json ? printer.json : printer.text)
      try plots.write(printer.html, SweepPlots(result).plots)
    } else {
      let found = try collection.run(topics, settings, depth: output.depth)
      let measured = MeasuredRun(found, by: judgements, measures, queries: ids)
      let printer = EvaluationPrinter(measured, earlier, found, judgements, style: global.outputStyle)
      standardOutput.write(
        judged.json ? printer.json(perQuery: judged.perQuery) : printer.text(perQuery: judged.perQuery))
      // Printed first, because a run that cannot be written must not discard the measures of a long evaluation.
      standardOutput.flush()
      if let path = output.runFile { try output.write(found, to: path, defaultTag: "concord") }
    }
    standardOutput.flush()
    let seconds = start.duration(to: .now) / .seconds(1)
    messages.note("\(Quantity.count(topics.count, "query", plural: "queries")), \(Quantity.seconds(seconds))")
  }

  private func settings(in collection: Collection) throws -> SearchRequest {
    var request = SearchRequest("", syntax: syntax.syntax)
    request.index = index
    request.fields = fields?.names
    request.weights = weight.factors
    ranking.apply(to: &request)
    request.model = try ranking.model(in: collection, index: index, isNeeded: sweep != nil)
    return request
  }
}
