import Concordance

/// Prints the measures of a run, optionally compared with an earlier run.
struct EvaluationPrinter {
  private let measured: MeasuredRun
  private let earlier: MeasuredRun?
  private let run: EvaluationRun
  private let unjudgedCount: Int
  private let style: Style

  init(
    _ measured: MeasuredRun, _ earlier: MeasuredRun?, _ run: EvaluationRun, _ judgements: RelevanceJudgements,
    style: Style
  ) {
    self.measured = measured
    self.earlier = earlier
    self.run = run
    self.style = style
    unjudgedCount = measured.queries.reduce(0) { sum, query in
      sum + (run.documents[query] ?? []).prefix(10).count { judgements.grade(of: $0, for: query) == nil }
    }
  }

  private var names: [String] { measured.measures.map(\.description) }

  /// Returns a table of measures, preceded by the measures of each query if requested.
  func text(perQuery: Bool) -> String {
    var text = ""
    if perQuery {
      var table = Table(["query"] + names + ["hits"], numbers: names.count + 1)
      for query in measured.queries {
        table.add(
          [query] + (measured.values[query] ?? []).map(decimal)
            + [Quantity.count(run.documents[query]?.count ?? 0)])
      }
      text += table.text(style) + "\n"
    }
    let table = comparison ?? means
    return text + table.text(style) + "unjudged of the first 10  \(Quantity.count(unjudgedCount))\n"
  }

  /// Returns a line with a JSON object, preceded by a line for each query if requested.
  func json(perQuery: Bool) -> String {
    var lines: [JSONLine] = []
    for query in perQuery ? measured.queries : [] {
      var line = JSONLine()
      line.add("query", query)
      for (name, value) in zip(names, measured.values[query] ?? []) { line.add(name, value) }
      line.add("hits", run.documents[query]?.count ?? 0)
      lines.append(line)
    }
    var line = JSONLine()
    for (name, value) in zip(names, measured.means) { line.add(name, value) }
    line.add("unjudged", unjudgedCount)
    line.add("queries", measured.queries.count)
    if let earlier { line.add("baseline", json: comparisonJSON(with: earlier).text) }
    return (lines + [line]).map { $0.text + "\n" }.joined()
  }

  private var means: Table {
    var table = Table(["measure", "mean"], numbers: 1)
    for (name, value) in zip(names, measured.means) { table.add([name, decimal(value)]) }
    return table
  }

  private var comparison: Table? {
    guard let earlier else { return nil }
    var table = Table(["measure", "baseline", "mean", "difference", "better", "worse", "p"], numbers: 6)
    for (index, name) in names.enumerated() {
      let compared = differences(from: earlier, index)
      table.add([
        name, decimal(earlier.means[index]), decimal(measured.means[index]),
        (compared.mean < 0 ? "" : "+") + decimal(compared.mean), String(compared.wins), String(compared.losses),
        decimal(compared.randomizationPValue()),
      ])
    }
    return table
  }

  private func comparisonJSON(with earlier: MeasuredRun) -> JSONLine {
    var line = JSONLine()
    for (index, name) in names.enumerated() {
      let compared = differences(from: earlier, index)
      var entry = JSONLine()
      entry.add("mean", earlier.means[index])
      entry.add("difference", compared.mean)
      entry.add("better", compared.wins)
      entry.add("worse", compared.losses)
      entry.add("p", compared.randomizationPValue())
      line.add(name, json: entry.text)
    }
    return line
  }

  private func differences(from earlier: MeasuredRun, _ measure: Int) -> PairedDifferences {
    PairedDifferences(
      measured.queries.filter { measured.isDefined(measure, $0) && earlier.isDefined(measure, $0) }
        .map { measured.value(measure, $0) - earlier.value(measure, $0) })
  }

  private func decimal(_ value: Double) -> String { Quantity.decimal(value, places: 4) }
}
