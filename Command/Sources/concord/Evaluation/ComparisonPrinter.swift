import ArgumentParser
import Concordance
import Foundation

/// Prints comparisons of runs.
struct ComparisonPrinter {
  /// The formats of tables.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, markdown, latex
  }

  private let names: [String]
  private let runs: [MeasuredRun]
  private let comparisons: [PairwiseRunComparison]
  private let format: Format
  private let style: Style

  init(_ names: [String], _ runs: [MeasuredRun], comparesAll: Bool, format: Format, style: Style) {
    self.names = names
    self.runs = runs
    self.format = format
    self.style = style
    comparisons = (runs.first?.measures ?? []).indices.map {
      PairwiseRunComparison(runs, measure: $0, comparesAll: comparesAll)
    }
  }

  private var measures: [String] { runs.first?.measures.map(\.description) ?? [] }

  /// The means of the runs, and the comparisons by measure.
  var text: String {
    table(["run"] + measures, numbers: measures.count, zip(names, runs).map { [$0] + $1.means.map(decimal) }) + "\n"
      + table(ComparisonPrinter.header, numbers: 8, comparisonRows)
  }

  /// The values of each query, by measure.
  var perQuery: String {
    measures.indices.map { measure in
      let rows = (runs.first?.queries ?? []).map { query in
        [measures[measure], query] + runs.map { decimal($0.value(measure, query)) }
      }
      return table(["measure", "query"] + names, numbers: names.count, rows) + "\n"
    }.joined()
  }

  /// One JSON object for each measure and pair of runs.
  var json: String {
    zip(measures, comparisons).flatMap { measure, comparison in
      comparison.pairs.map { pair -> String in
        let interval = pair.differences.confidenceInterval()
        let index = measures.firstIndex(of: measure) ?? 0
        var line = JSONLine()
        line.add("measure", measure)
        line.add("baseline", names[pair.baseline])
        line.add("run", names[pair.run])
        line.add("baselineMean", runs[pair.baseline].means[index])
        line.add("mean", runs[pair.run].means[index])
        line.add("difference", pair.differences.mean)
        line.add("low", interval.lowerBound)
        line.add("high", interval.upperBound)
        line.add("queries", pair.queries.count)
        line.add("wins", pair.differences.wins)
        line.add("losses", pair.differences.losses)
        line.add("effectSize", pair.differences.effectSize)
        line.add("tTest", pair.tTestPValue)
        line.add("tTestHolm", pair.correctedTTestPValue)
        line.add("randomization", pair.randomizationPValue)
        line.add("randomizationHolm", pair.correctedRandomizationPValue)
        return line.text + "\n"
      }
    }.joined()
  }

  static let header = [
    "measure", "run", "baseline", "difference", "95% interval", "wins", "losses", "d", "t-test", "randomization",
    "queries",
  ]

  /// The cells of the comparisons; the p values are corrected.
  var comparisonRows: [[String]] {
    zip(measures, comparisons).flatMap { measure, comparison in
      comparison.pairs.map { pair in
        [
          measure, names[pair.run], names[pair.baseline], signed(pair.differences.mean),
          text(of: pair.differences.confidenceInterval()), String(pair.differences.wins),
          String(pair.differences.losses), rounded(pair.differences.effectSize, places: 2),
          decimal(pair.correctedTTestPValue), decimal(pair.correctedRandomizationPValue), String(pair.queries.count),
        ]
      }
    }
  }

  private func table(_ header: [String], numbers: Int, _ rows: [[String]]) -> String {
    switch format {
    case .text:
      var table = Table(header, numbers: numbers)
      for row in rows { table.add(row) }
      return table.text(style)
    case .markdown:
      let aligned = header.indices.map { $0 < header.count - numbers ? "---" : "---:" }
      return ([header, aligned] + rows)
        .map { "| " + $0.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |\n" }
        .joined()
    case .latex:
      let columns = String(repeating: "l", count: header.count - numbers) + String(repeating: "r", count: numbers)
      let lines = rows.map { $0.map(ComparisonPrinter.latex).joined(separator: " & ") + " \\\\\n" }.joined()
      return "\\begin{tabular}{\(columns)}\n\\hline\n"
        + header.map(ComparisonPrinter.latex).joined(separator: " & ") + " \\\\\n\\hline\n" + lines
        + "\\hline\n\\end{tabular}\n"
    }
  }

  /// Returns a text in which LaTeX's special characters are escaped.
  private static func latex(_ text: String) -> String {
    text.map { character in
      switch character {
      case "_", "&", "%", "#", "$", "{", "}": "\\\(character)"
      case "\\": "\\textbackslash{}"
      case "~": "\\textasciitilde{}"
      case "^": "\\textasciicircum{}"
      default: String(character)
      }
    }.joined()
  }

  /// The cell of an interval, effect size or p value that the queries do not determine.
  private static let undefined = "–"

  private func text(of interval: ClosedRange<Double>) -> String {
    interval.lowerBound.isFinite
      ? "\(signed(interval.lowerBound)) \(signed(interval.upperBound))" : ComparisonPrinter.undefined
  }

  private func decimal(_ value: Double) -> String { rounded(value, places: 4) }

  private func rounded(_ value: Double, places: Int) -> String {
    value.isFinite ? Quantity.decimal(value, places: places) : ComparisonPrinter.undefined
  }

  private func signed(_ value: Double) -> String {
    let text = decimal(value)
    return text.hasPrefix("-") || !value.isFinite ? text : "+" + text
  }
}
