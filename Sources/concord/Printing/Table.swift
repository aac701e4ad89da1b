/// Columns of text, each as wide as its widest cell.
struct Table {
  private var rows: [[String]]
  /// How many of the last columns hold numbers, which are set to the right.
  private let numbers: Int

  init(_ header: [String], numbers: Int = 0) {
    rows = [header]
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) { rows.append(row.map { TerminalText.sanitized($0) }) }

  /// The rows as lines, the header first.
  func text(_ style: Style) -> String {
    let columns = rows[0].count
    let widths = (0..<columns).map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
    return rows.enumerated().map { number, row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - TerminalText.width(cell))
        if column >= columns - numbers { return space + cell }
        return column == columns - 1 ? cell : cell + space
      }
      let line = cells.joined(separator: "  ")
      return (number == 0 ? style.strong(line) : line) + "\n"
    }.joined()
  }
}
