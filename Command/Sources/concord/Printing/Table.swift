/// A table of text whose columns are as wide as their widest cells.
struct Table {
  private let header: [TableCell]
  private var rows: [[TableCell]] = []
  /// The number of trailing columns with numbers, which are right-aligned.
  private let numbers: Int

  init(_ header: [String], numbers: Int = 0) {
    self.header = header.map { TableCell($0, .text) }
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) { rows.append(row.map { TableCell($0, .text) }) }

  /// Returns the rows as lines, the header first.
  func text(_ style: Style) -> String {
    let layout = TableLayout(header, rows, width: nil, numbers: header.count - numbers..<header.count)
    let lines = rows.map { layout.line($0, style) }
    return ([style.strong(layout.line(header, style))] + lines).map { $0 + "\n" }.joined()
  }
}
