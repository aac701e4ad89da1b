import ArgumentParser
import Concordance
import Foundation

/// The output formats of rows as an option.
enum RowFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case json
  case jsonl
  case csv

  func makePrinter(to output: StandardOutput, style: Style) -> any RowPrinter {
    switch self {
    case .table: TableRowPrinter(to: output, style: style, width: Terminal.width(STDOUT_FILENO))
    case .json: JSONRowPrinter(to: output, isArray: true)
    case .jsonl: JSONRowPrinter(to: output, isArray: false)
    case .csv: CSVRowPrinter(to: output)
    }
  }
}

/// Prints the rows of a result one by one.
protocol RowPrinter: AnyObject {
  /// Receives the names of the columns before the first row.
  func begin(_ columns: [String])

  /// Receives a row.
  func add(_ row: Result)

  /// Prints the end of the output after the last row.
  func end()
}
