import Concordance

/// Prints the measures of a run, optionally compared with an earlier run.
struct EvaluationPrinter {
  private let evaluation: Evaluation
  private let earlier: Evaluation?
  private let run: EvaluationRun
  private let style: Style

  init(_ evaluation: Evaluation, _ earlier: Evaluation?, _ run: EvaluationRun, style: Style) {
    self.evaluation = evaluation
    self.earlier = earlier
    self.run = run
    self.style = style
  }

  /// Returns a table of measures, preceded by the measures of each query if requested.
  func text(perQuery: Bool) -> String {
    var text = ""
    if perQuery {
      var table = Table(
        ["query"] + Effectiveness.measures.map(\.name) + ["hits"], numbers: Effectiveness.measures.count + 1)
      for query in evaluation.queries {
        let measured = evaluation.byQuery[query] ?? Effectiveness()
        table.add([query] + numbers(measured) + [Quantity.count(run.documents[query]?.count ?? 0)])
      }
      text += table.text(style) + "\n"
    }
    let table = comparison ?? means
    return text + table.text(style) + "unjudged of the first 10  \(Quantity.count(evaluation.unjudgedCount))\n"
  }

  /// Returns a JSON object, or one per line.
  func json(perQuery: Bool) -> String {
    var lines: [JSONLine] = []
    for query in perQuery ? evaluation.queries : [] {
      var line = JSONLine()
      line.add("query", query)
      add(evaluation.byQuery[query] ?? Effectiveness(), to: &line)
      line.add("hits", run.documents[query]?.count ?? 0)
      lines.append(line)
    }
    var line = JSONLine()
    add(evaluation.mean, to: &line)
    line.add("unjudged", evaluation.unjudgedCount)
    line.add("queries", evaluation.queries.count)
    if let earlier { line.add("baseline", json: comparisonJSON(with: earlier).text) }
    return (lines + [line]).map { $0.text + "\n" }.joined()
  }

  private var means: Table {
    var table = Table(["measure", "mean"], numbers: 1)
    for (measure, value) in zip(Effectiveness.measures, numbers(evaluation.mean)) { table.add([measure.name, value]) }
    return table
  }

  private var comparison: Table? {
    guard let earlier else { return nil }
    var table = Table(["measure", "baseline", "mean", "difference", "better", "worse", "p"], numbers: 6)
    for measure in Effectiveness.measures {
      guard let compared = RunComparison(evaluation, with: earlier, by: measure.value) else { continue }
      table.add([
        measure.name, decimal(earlier.mean[keyPath: measure.value]), decimal(evaluation.mean[keyPath: measure.value]),
        (compared.difference < 0 ? "" : "+") + decimal(compared.difference), String(compared.better),
        String(compared.worse), decimal(compared.pValue),
      ])
    }
    return table
  }

  private func comparisonJSON(with earlier: Evaluation) -> JSONLine {
    var line = JSONLine()
    for measure in Effectiveness.measures {
      guard let compared = RunComparison(evaluation, with: earlier, by: measure.value) else { continue }
      var entry = JSONLine()
      entry.add("mean", earlier.mean[keyPath: measure.value])
      entry.add("difference", compared.difference)
      entry.add("better", compared.better)
      entry.add("worse", compared.worse)
      entry.add("p", compared.pValue)
      line.add(measure.name, json: entry.text)
    }
    return line
  }

  private func numbers(_ measured: Effectiveness) -> [String] {
    Effectiveness.measures.map { decimal(measured[keyPath: $0.value]) }
  }

  private func add(_ measured: Effectiveness, to line: inout JSONLine) {
    for measure in Effectiveness.measures { line.add(measure.name, measured[keyPath: measure.value]) }
  }

  private func decimal(_ value: Double) -> String { Quantity.decimal(value, places: 4) }
}
