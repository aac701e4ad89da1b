import Concordance

/// Prints rows as JSON objects, one per line, alone or as the elements of an array.
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
    // JSON allows unescaped control characters above U+001F. Escapes have the same meaning and do not control the
    // terminal.
    output.write(isTerminal ? TerminalText.escaped(text).text : text)
    if !isArray { output.write("\n") }
  }

  func end() {
    if isArray { output.writeLine(isEmpty ? "[]" : "]") }
  }
}
