/// The widths and the alignment of the columns of a table.
struct TableLayout {
  private struct Column {
    var width: Int
    let isNumber: Bool
  }

  private var columns: [Column]
  /// Whether cells that are too wide are truncated; otherwise they shift the rest of their line to the right.
  private let truncates: Bool

  private static let gap = "  "
  /// The minimum width of truncated text.
  private static let minimum = 6
  /// The maximum width without truncation, so that one long text does not pad all other lines with spaces.
  private static let maximum = 120

  /// Determines widths from cells.
  ///
  /// - Parameters:
  ///   - header: the names of the columns.
  ///   - rows: the cells, one per column in each row.
  ///   - width: the maximum width of the table; nil for no limit.
  ///   - numbers: the right-aligned columns; nil for those that contain only numbers.
  init(_ header: [TableCell], _ rows: [[TableCell]], width: Int?, numbers: Range<Int>? = nil) {
    truncates = width != nil
    columns = []
    var minimums: [Int] = []
    for (number, name) in header.enumerated() {
      let cells = rows.lazy.map { $0[number] }
      let widest = cells.map(\.width).max() ?? 0
      let isNumber = numbers.map { $0.contains(number) } ?? TableLayout.areNumbers(cells)
      columns.append(Column(width: max(name.width, widest), isNumber: isNumber))
      // A truncated number would be a different number.
      minimums.append(isNumber ? widest : min(TableLayout.minimum, max(name.width, widest)))
    }
    if let width {
      fit(width, minimums)
    } else {
      for number in columns.indices { columns[number].width = min(columns[number].width, TableLayout.maximum) }
    }
  }

  /// Returns the cells as a line.
  func line(_ cells: [TableCell], _ style: Style) -> String {
    var line = ""
    // Padding is written before the next cell, so that no line ends with spaces.
    var space = 0
    for (column, cell) in zip(columns, cells) {
      let isCut = truncates && cell.width > column.width && cell.kind != .number
      let (text, width) = isCut ? TerminalText.cut(cell.text, columns: column.width) : (cell.text, cell.width)
      let padding = max(column.width - width, 0)
      if column.isNumber { space += padding }
      if !text.isEmpty {
        line += String(repeating: " ", count: space)
        line += cell.kind == .nothing ? style.faint(text) : text
        space = 0
      }
      if !column.isNumber { space += padding }
      space += TableLayout.gap.utf8.count
    }
    return line
  }

  private static func areNumbers(_ cells: some Sequence<TableCell>) -> Bool {
    var hasNumber = false
    for cell in cells {
      if cell.kind == .text { return false }
      if cell.kind == .number { hasNumber = true }
    }
    return hasNumber
  }

  /// Shrinks the widest columns first, until the table fits or all columns have their minimum widths.
  private mutating func fit(_ width: Int, _ minimums: [Int]) {
    let availableWidth = width - TableLayout.gap.utf8.count * (columns.count - 1)
    func widths(_ limit: Int) -> [Int] { zip(columns, minimums).map { max(min($0.width, limit), $1) } }
    var limit = columns.map(\.width).max() ?? 0
    while limit > 0, widths(limit).reduce(0, +) > availableWidth { limit -= 1 }
    var chosen = widths(limit)
    // The remaining width is not enough to raise the limit of all columns, so some columns become one wider.
    var rest = availableWidth - chosen.reduce(0, +)
    for number in chosen.indices where rest > 0 && chosen[number] == limit && chosen[number] < columns[number].width {
      chosen[number] += 1
      rest -= 1
    }
    for (number, width) in chosen.enumerated() { columns[number].width = width }
  }
}
