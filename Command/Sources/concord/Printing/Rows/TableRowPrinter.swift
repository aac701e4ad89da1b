import Concordance

/// Rows as a table. The columns are as wide as the first rows ask for, so that the others need not be held.
final class TableRowPrinter: RowPrinter {
  private let output: StandardOutput
  private let style: Style
  /// The columns of the terminal; nil where nothing is cut.
  private let width: Int?
  private var header: [TableCell] = []
  /// Rows that wait until widths are chosen.
  private var waiting: [[TableCell]] = []
  private var waitingSize = 0
  private var layout: TableLayout?

  /// How many rows widths are chosen by, and the bytes of text that may wait for it.
  static let sampleCount = 1000
  private static let sampleSize = 4 << 20

  init(to output: StandardOutput, style: Style, width: Int?) {
    self.output = output
    self.style = style
    self.width = width
  }

  func begin(_ columns: [String]) {
    header = columns.map { TableCell($0, .text, columns: width) }
  }

  func add(_ row: Result) {
    let cells = header.indices.map { TableCell(RowValue(row, $0), columns: width) }
    if let layout { return output.writeLine(layout.line(cells, style)) }
    waiting.append(cells)
    waitingSize += cells.reduce(0) { $0 + $1.text.utf8.count }
    if waiting.count >= TableRowPrinter.sampleCount || waitingSize >= TableRowPrinter.sampleSize { draw() }
  }

  func end() {
    if layout == nil, !waiting.isEmpty { draw() }
  }

  private func draw() {
    let layout = TableLayout(header, waiting, width: width)
    self.layout = layout
    output.writeLine(style.strong(layout.line(header, Style(isOn: false))))
    for cells in waiting { output.writeLine(layout.line(cells, style)) }
    waiting = []
  }
}
