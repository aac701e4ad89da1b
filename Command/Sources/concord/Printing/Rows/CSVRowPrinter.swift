import Concordance

/// Prints rows as CSV (RFC 4180): the names of the columns first, and lines that end with CR LF.
///
/// MISSING and null are empty. An empty string is `""`, as in PostgreSQL.
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

  private func write(_ fields: [[UInt8]]) {
    // Many readers skip an empty line, which would lose the row.
    let line = fields == [[]] ? Array("\"\"".utf8) : Array(fields.joined(separator: ",".utf8))
    if isTerminal {
      output.write(TerminalText.sanitized(String(decoding: line, as: UTF8.self)))
    } else {
      output.write(bytes: line)
    }
    output.write("\r\n")
  }

  private static func field(_ row: Result, _ column: Int) -> [UInt8] {
    switch RowValue(row, column) {
    case .missing, .null: []
    case .string(let text), .number(let text), .other(let text): field(text)
    }
  }

  /// Compares bytes because a quotation mark with a combining accent is one character but must be doubled.
  private static func field(_ text: String) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    let isSpecial = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == quote || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
    guard isSpecial || text.isEmpty else { return Array(text.utf8) }
    var field = [quote]
    for byte in text.utf8 {
      if byte == quote { field.append(quote) }
      field.append(byte)
    }
    field.append(quote)
    return field
  }
}
