/// The lengths of documents that are inserted and removed.
struct DocumentLengthList {
  let columnCount: Int
  private var rows: [Int64] = []
  /// `columnCount` numbers for each row.
  private var lengths: [UInt32] = []
  private(set) var removedRows: [Int64] = []
  /// The numbers of documents and terms that are inserted, minus those that are removed.
  private var difference: IndexTotals

  init(columnCount: Int) {
    self.columnCount = columnCount
    difference = IndexTotals(columnCount: columnCount)
  }

  /// The number of bytes of memory that the list takes.
  var size: Int { (rows.capacity + removedRows.capacity) * 8 + lengths.capacity * 4 }

  /// The number of documents that are inserted.
  var insertedCount: Int { rows.count }

  /// Adds a document that is inserted.
  mutating func insert(_ lengths: some Collection<UInt32>, row: Int64) {
    rows.append(row)
    self.lengths.append(contentsOf: lengths)
    difference.rowCount += 1
    for (column, length) in lengths.enumerated() { difference.tokenCounts[column] += Int64(length) }
  }

  /// Returns the lengths of an inserted document; the first one has number 0.
  func inserted(_ number: Int) -> ArraySlice<UInt32> { lengths[number * columnCount..<(number + 1) * columnCount] }

  /// Adds a document that is removed before one is inserted in its row.
  mutating func remove(_ lengths: some Collection<UInt32>, row: Int64) {
    removedRows.append(row)
    difference.rowCount -= 1
    for (column, length) in lengths.enumerated() { difference.tokenCounts[column] -= Int64(length) }
  }

  /// Calls `body` with each inserted row and its lengths as `t_docsize` stores them.
  func forEachInserted(_ body: (_ row: Int64, _ sizes: [UInt8]) throws -> Void) rethrows {
    var sizes: [UInt8] = []
    for (number, row) in rows.enumerated() {
      sizes.removeAll(keepingCapacity: true)
      for length in inserted(number) { sizes.appendVarint(UInt64(length)) }
      try body(row, sizes)
    }
  }

  /// Returns the averages record of a table after the changes.
  ///
  /// - Throws: ``DoclistCorruption`` if more is removed than the table contains.
  func averages(changing totals: IndexTotals) throws(DoclistCorruption) -> [UInt8] {
    var record: [UInt8] = []
    let counts = [totals.rowCount] + totals.tokenCounts
    for (count, change) in zip(counts, [difference.rowCount] + difference.tokenCounts) {
      guard count + change >= 0 else { throw .badNumber }
      record.appendVarint(UInt64(count + change))
    }
    return record
  }
}
