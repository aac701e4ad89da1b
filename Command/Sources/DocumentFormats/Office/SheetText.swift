/// The rows of a sheet as lines of text.
struct SheetText {
  private var bytes: [UInt8] = []
  private var row = 1
  private var column = 1
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds the text of a cell, which must follow the previous one; rows and columns are counted from 1. Cells beyond
  /// Excel's limits of 1,048,576 rows and 16,384 columns are ignored.
  mutating func add(_ text: String, row newRow: Int, column newColumn: Int) {
    guard !text.isEmpty, newRow <= 1 << 20, newColumn <= 1 << 14, bytes.count <= limit else { return }
    if newRow > row {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: newRow - row))
      (row, column) = (newRow, 1)
    }
    if newColumn > column {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: newColumn - column))
      column = newColumn
    }
    // A line break in a cell would change the line numbers of the following rows.
    bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 ? 0x20 : $0 })
  }

  var result: [UInt8] { bytes.isEmpty ? [] : bytes + [UInt8(ascii: "\n")] }
}
