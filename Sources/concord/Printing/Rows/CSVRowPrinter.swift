import Concordance

/// Rows as RFC 4180 has them: the names of the columns first, lines that end with CR LF.
///
/// MISSING and null are empty. An empty string is `""`, as PostgreSQL writes it.
final class CSVRowPrinter: RowPrinter {
  private let output: StandardOutput
  private let isTerminal: Bool
  private var columnCount = 0

  init(to output: StandardOutput, isTerminal: Bool) {
    self.output = output
    self.isTerminal = isTerminal
  }

  func begin(_ columns: [String]) {
    columnCount = columns.count
    write(columns.map(CSVRowPrinter.field))
  }

  func add(_ row: Result) { write((0..<columnCount).map { CSVRowPrinter.field(row, $0) }) }

  func end() {}

  private func write(_ fields: [String]) {
    // Many readers pass over an empty line, and the row would be lost.
    let line = fields == [""] ? "\"\"" : fields.joined(separator: ",")
    output.write((isTerminal ? TerminalText.sanitized(line) : line) + "\r\n")
  }

  private static func field(_ row: Result, _ column: Int) -> String {
    switch RowValue(row, column) {
    case .missing, .null: ""
    case .string(let text): field(text)
    case .number(let text), .other(let text): field(text)
    }
  }

  private static func field(_ text: String) -> String {
    let isSpecial = text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
      default: false
      }
    }
    guard isSpecial || text.isEmpty else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
