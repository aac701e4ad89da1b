/// The lengths of new documents, in the order of their rows.
struct DocumentLengthList {
  let columnCount: Int
  private var rows: [Int64] = []
  /// `columnCount` numbers for each row.
  private var lengths: [UInt32] = []

  init(columnCount: Int) { self.columnCount = columnCount }

  var isEmpty: Bool { rows.isEmpty }
  var lastRow: Int64? { rows.last }
  /// The number of bytes of memory that the list takes.
  var size: Int { rows.capacity * 8 + lengths.capacity * 4 }

  mutating func append(_ lengths: [UInt32], row: Int64) {
    rows.append(row)
    self.lengths.append(contentsOf: lengths)
  }

  /// Calls `body` with each row and its lengths as `t_docsize` stores them.
  func forEach(_ body: (_ row: Int64, _ sizes: [UInt8]) throws -> Void) rethrows {
    var sizes: [UInt8] = []
    for (number, row) in rows.enumerated() {
      sizes.removeAll(keepingCapacity: true)
      for length in lengths[number * columnCount..<(number + 1) * columnCount] { sizes.appendVarint(UInt64(length)) }
      try body(row, sizes)
    }
  }

  /// Returns the averages record of a table to which the documents are added.
  func added(to totals: IndexTotals) -> [UInt8] {
    var counts = totals.tokenCounts
    for (number, length) in lengths.enumerated() { counts[number % columnCount] += Int64(length) }
    var record: [UInt8] = []
    record.appendVarint(UInt64(totals.rowCount + Int64(rows.count)))
    for count in counts { record.appendVarint(UInt64(count)) }
    return record
  }
}
