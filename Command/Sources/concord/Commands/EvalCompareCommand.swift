import ArgumentParser
import Concordance

struct EvalCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare runs query by query.",
    discussion: """
      Reads runs in TREC's format, of this or another engine, and compares each with the first. No database is needed.

        $ concord eval compare bm25.run rm3.run bo1.run --qrels qrels.txt
        $ concord eval compare bm25.run rm3.run --qrels qrels.txt \\
            --measures 'AP nDCG@20' --per-query
        $ concord eval compare *.run --qrels qrels.txt --all --format latex

      For each measure, prints the mean of each run and, for each pair, the difference, its 95% confidence interval, the \
      numbers of queries with a higher and a lower value, the effect size (Cohen's d), and the p values of a paired \
      t-test and a paired randomization test, with Holm's correction for the number of pairs. --report writes an HTML \
      page with plots, and --plots the precision-recall curves and the differences for each query as SVG files. \
      A judged query that a run does not contain counts as 0.

      Exit status: 0 done, 2 error.
      """)

  @Argument(help: ArgumentHelp("The runs; the first is the baseline.", valueName: "run"), completion: .file())
  var runs: [String]

  @Flag(help: "Compare all pairs of runs, not only each run with the first.")
  var all = false

  @Option(help: ArgumentHelp("The format of the tables: text, markdown or latex.", valueName: "format"))
  var format = ComparisonPrinter.Format.text

  @OptionGroup
  var plots: PlotOptions

  @OptionGroup
  var judged: JudgementOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if runs.count < 2 { throw ValidationError("Name at least two runs, the baseline first.") }
    if judged.json, format != .text {
      throw ValidationError("--json and --format select different formats; give only one of them.")
    }
  }

  func run() throws {
    let qrels = try judged.path()
    try plots.prepare()
    let judgements = try RelevanceJudgements(parsing: InputText.read(qrels), name: qrels)
    guard !judgements.queries.isEmpty else { throw CommandFailure("\(qrels): the file contains no judgements") }
    for measure in judged.measures.measures { try measure.validate(judgements) }
    let parsed = try runs.map { try EvaluationRun(parsing: InputText.read($0), name: $0) }
    for (name, run) in zip(runs, parsed) where !run.queries.contains(where: { judgements.grades[$0] != nil }) {
      throw CommandFailure("\(name): no document was judged for any query of the run; do the query ids match?")
    }
    // A run does not list queries without hits, so all judged queries are evaluated, as with trec_eval's -c.
    let queries = judgements.queries
    let missing = queries.filter { query in !parsed.contains { $0.documents[query] != nil } }
    if let note = MissingQueries.note(missing, place: "in any run") { global.makeMessages().note(note) }
    let measured = parsed.map { MeasuredRun($0, by: judgements, judged.measures.measures, queries: queries) }
    let names = RunNames.distinct(runs)
    let printer = ComparisonPrinter(names, measured, comparesAll: all, format: format, style: global.outputStyle)
    let output = StandardOutput()
    output.write(judged.json ? printer.json : (judged.perQuery ? printer.perQuery : "") + printer.text)
    output.flush()
    guard plots.isGiven else { return }
    let curves = parsed.map { PrecisionRecallCurve($0, by: judgements, queries: queries) }
    let report = EvaluationReport(names, measured, curves, comparesAll: all)
    try plots.write(report.html, report.plots)
  }
}

/// Judged queries that were not run.
enum MissingQueries {
  /// Returns the message that these queries count as 0; nil if there are none.
  ///
  /// - Parameters:
  ///   - ids: the ids of the queries.
  ///   - place: where the queries are missing, such as `in q.tsv`.
  static func note(_ ids: [String], place: String) -> String? {
    guard !ids.isEmpty else { return nil }
    let names = ids.prefix(maximumCount).joined(separator: ", ") + (ids.count > maximumCount ? ", …" : "")
    let verbs = ids.count == 1 ? ("is", "counts") : ("are", "count")
    let count = Quantity.count(ids.count, "judged query", plural: "judged queries")
    return "\(count) \(verbs.0) not \(place) and \(verbs.1) as 0: \(names)"
  }

  private static let maximumCount = 10
}

/// Names of runs in tables.
enum RunNames {
  /// Returns the names of the files without folders and the extension `.run`, or the paths if these are not distinct.
  static func distinct(_ paths: [String]) -> [String] {
    let short = paths.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".run") && name.count > 4 ? String(name.dropLast(4)) : name
    }
    return Set(short).count == short.count ? short : paths
  }
}
