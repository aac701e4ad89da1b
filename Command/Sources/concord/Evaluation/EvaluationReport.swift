import Concordance

/// A comparison of runs as an HTML page without external files.
struct EvaluationReport {
  private let names: [String]
  private let runs: [MeasuredRun]
  private let curves: [PrecisionRecallCurve]
  private let comparesAll: Bool

  init(_ names: [String], _ runs: [MeasuredRun], _ curves: [PrecisionRecallCurve], comparesAll: Bool) {
    self.names = names
    self.runs = runs
    self.curves = curves
    self.comparesAll = comparesAll
  }

  private var measures: [String] { runs.first?.measures.map(\.description) ?? [] }

  /// The page.
  var html: String {
    let printer = ComparisonPrinter(names, runs, comparesAll: comparesAll, format: .text, style: Style(isOn: false))
    let means = zip(names, runs).map { [$0] + $1.means.map { Quantity.decimal($0, places: 4) } }
    return HTMLReport.page(
      title: "Comparison of runs",
      """
      <p>\(runs.first?.queries.count ?? 0) queries. The p values are corrected by Holm's method.</p>
      \(HTMLReport.table(["run"] + measures, means))
      \(HTMLReport.table(ComparisonPrinter.header, printer.comparisonRows))
      \(plots.map(\.svg).joined())
      """)
  }

  /// The plots with the names of their files.
  var plots: [(name: String, svg: String)] { [("precision-recall", precisionRecall)] + differences }

  private var precisionRecall: String {
    var plot = SVGPlot(x: 0...1, y: 0...1, xLabel: "recall", yLabel: "precision", title: "Precision and recall")
    for recall in PrecisionRecallCurve.recalls { plot.addTick(recall, "\(recall)") }
    for (number, curve) in curves.enumerated() {
      let points = zip(PrecisionRecallCurve.recalls, curve.precisions).map { (x: $0, y: $1) }
      plot.addCurve(points, name: names[number], number: number)
    }
    return plot.svg
  }

  /// Plots of the first measure's differences from the first run: one plot per other run, with the queries in
  /// descending order of their differences.
  private var differences: [(name: String, svg: String)] {
    guard let first = runs.first, let measure = measures.first, !first.queries.isEmpty else { return [] }
    return runs.indices.dropFirst().map { run in
      let values = first.queries.map { (label: $0, value: runs[run].value(0, $0) - first.value(0, $0)) }
        .sorted { ($1.value, $0.label) < ($0.value, $1.label) }
      let highest = max(0.01, values.map { abs($0.value) }.max() ?? 0)
      var plot = SVGPlot(
        x: 0...Double(values.count), y: -highest...highest, xLabel: "queries", yLabel: "difference",
        title: "\(measure): \(names[run]) minus \(names[0])")
      plot.addBars(values)
      return ("differences-\(run)", plot.svg)
    }
  }
}
