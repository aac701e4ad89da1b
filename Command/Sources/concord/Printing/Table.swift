/// Columns of text, each as wide as its widest cell.
struct Table {
  private let header: [TableCell]
  private var rows: [[TableCell]] = []
  /// How many of the last columns hold numbers, which are set to the right.
  private let numbers: Int

  init(_ header: [String], numbers: Int = 0) {
    self.header = header.map { TableCell($0, .text) }
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) { rows.append(row.map { TableCell($0, .text) }) }

  /// The rows as lines, the header first.
  func text(_ style: Style) -> String {
    let layout = TableLayout(header, rows, width: nil, numbers: header.count - numbers..<header.count)
    let lines = rows.map { layout.line($0, style) }
    return ([style.strong(layout.line(header, style))] + lines).map { $0 + "\n" }.joined()
  }
}
