import Concordance

/// Prints the result of a sweep.
struct SweepPrinter {
  private let result: ParameterSweep.Result
  private let validation: CrossValidation?
  private let style: Style

  init(_ result: ParameterSweep.Result, folds: Int, style: Style) {
    self.result = result
    self.style = style
    validation = CrossValidation(result.runs, measure: 0, folds: folds)
  }

  private var measures: [String] { result.runs.first?.measures.map(\.description) ?? [] }
  private var parameters: [String] { result.combinations.first?.map(\.parameter.rawValue) ?? [] }

  /// The combination with the highest mean of the first measure.
  private var best: Int {
    let means = result.runs.map { $0.means.first ?? 0 }
    return means.indices.reduce(0) { means[$1] > means[$0] ? $1 : $0 }
  }

  /// A table of all combinations, the best one, and the cross-validation.
  var text: String {
    var table = Table(parameters + measures, numbers: parameters.count + measures.count)
    for row in rows { table.add(row) }
    return table.text(style) + summary
  }

  /// A page with the table and the plots.
  var html: String {
    let lines = summary.split(separator: "\n").map { SVGPlot.escaped(String($0)) }.joined(separator: "<br>\n")
    return HTMLReport.page(
      title: "Sweep of \(parameters.joined(separator: ", "))",
      SweepPlots(result).plots.map(\.svg).joined() + "<p>\(lines)</p>\n"
        + HTMLReport.table(parameters + measures, rows))
  }

  private var rows: [[String]] {
    zip(result.combinations, result.runs).map { combination, run in
      combination.map { HeatMap.text($0.value) } + run.means.map { Quantity.decimal($0, places: 4) }
    }
  }

  /// The best combination and the cross-validation.
  private var summary: String {
    var text = "best  \(description(best))\n"
    if let validation {
      let mean = Quantity.decimal(validation.mean, places: 4)
      text += "\(measures.first ?? "") by \(validation.chosen.count)-fold cross-validation  \(mean)\n"
      for (fold, chosen) in validation.chosen.enumerated() { text += "part \(fold + 1)  \(description(chosen))\n" }
    }
    return text
  }

  /// One object per combination, and a last one with the best combination and the cross-validation.
  var json: String {
    var lines: [JSONLine] = []
    for (combination, run) in zip(result.combinations, result.runs) {
      var line = JSONLine()
      for (parameter, value) in combination { line.add(parameter.rawValue, value) }
      for (measure, mean) in zip(measures, run.means) { line.add(measure, mean) }
      lines.append(line)
    }
    var last = JSONLine()
    last.add("best", json: object(best).text)
    if let validation {
      last.add("crossValidation", validation.mean)
      last.add("chosen", validation.chosen.map(object))
    }
    return (lines + [last]).map { $0.text + "\n" }.joined()
  }

  private func object(_ index: Int) -> JSONLine {
    var line = JSONLine()
    for (parameter, value) in result.combinations[index] { line.add(parameter.rawValue, value) }
    return line
  }

  private func description(_ index: Int) -> String {
    result.combinations[index].map { "\($0.parameter.rawValue)=\(HeatMap.text($0.value))" }.joined(separator: " ")
  }
}
