import Concordance

/// Rows as JSON objects, a line each, on their own or as the elements of an array.
final class JSONRowPrinter: RowPrinter {
  private let output: StandardOutput
  private let isArray: Bool
  private let isTerminal: Bool
  private var isEmpty = true

  init(to output: StandardOutput, isArray: Bool, isTerminal: Bool) {
    self.output = output
    self.isArray = isArray
    self.isTerminal = isTerminal
  }

  func begin(_ columns: [String]) {}

  func add(_ row: Result) {
    if isArray { output.write(isEmpty ? "[" : ",\n") }
    isEmpty = false
    let text = JSONLayout.compact(row.toJSON())
    // Controls behind U+001F stand in JSON as they are. Escaped, they say the same and do nothing.
    output.write(isTerminal ? TerminalText.escaped(text).text : text)
    if !isArray { output.write("\n") }
  }

  func end() {
    if isArray { output.writeLine(isEmpty ? "[]" : "]") }
  }
}
