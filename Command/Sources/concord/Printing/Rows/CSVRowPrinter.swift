@_spi(Command) import Concordance

/// Prints rows as CSV (RFC 4180): the names of the columns first, and lines that end with CR LF.
///
/// MISSING and null are empty. An empty string is `""`, as in PostgreSQL.
final class CSVRowPrinter: RowPrinter {
  private let output: StandardOutput
  private var columnCount = 0

  init(to output: StandardOutput) { self.output = output }

  func begin(_ columns: [String]) {
    columnCount = columns.count
    write(columns)
  }

  func add(_ row: Result) { write((0..<columnCount).map { CSVRowPrinter.field(row, $0) }) }

  func end() {}

  private func write(_ fields: [String?]) {
    let line = CSVLine.bytes(of: fields)
    if output.isTerminal {
      output.write(TerminalText.sanitized(String(decoding: line, as: UTF8.self)))
    } else {
      output.write(bytes: line)
    }
    output.write("\r\n")
  }

  private static func field(_ row: Result, _ column: Int) -> String? {
    switch RowValue(row, column) {
    case .missing, .null: nil
    case .string(let text), .number(let text), .other(let text): text
    }
  }
}
