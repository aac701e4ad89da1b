import Concordance

/// Prints rows as JSON objects, one per line, alone or as the elements of an array.
final class JSONRowPrinter: RowPrinter {
  private let output: StandardOutput
  private let isArray: Bool
  private var isEmpty = true

  init(to output: StandardOutput, isArray: Bool) {
    self.output = output
    self.isArray = isArray
  }

  func begin(_ columns: [String]) {}

  func add(_ row: Result) {
    if isArray { output.write(isEmpty ? "[" : ",\n") }
    isEmpty = false
    output.writeJSON(JSONLayout.compact(row.toJSON()), terminator: isArray ? "" : "\n")
  }

  func end() {
    if isArray { output.writeLine(isEmpty ? "[]" : "]") }
  }
}
