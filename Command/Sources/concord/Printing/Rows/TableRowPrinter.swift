import Concordance

/// Prints rows as a table. The first rows determine the widths of the columns, so that later rows need not be buffered.
final class TableRowPrinter: RowPrinter {
  private let output: StandardOutput
  private let style: Style
  /// The width of the terminal; nil if nothing is truncated.
  private let width: Int?
  private var header: [TableCell] = []
  /// The rows buffered until the widths are determined.
  private var waiting: [[TableCell]] = []
  private var waitingSize = 0
  private var layout: TableLayout?

  /// The number of rows that determine the widths, and the maximum bytes of buffered text.
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
