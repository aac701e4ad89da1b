package import GRDB

extension IndexTotals {
  /// Reads an averages record. It is empty if no document was ever added.
  init(averages record: [UInt8], columnCount: Int) throws(DoclistCorruption) {
    self.init(columnCount: columnCount)
    let values = try SegmentStructure.varints(record, from: 0)
    guard !values.isEmpty else { return }
    guard values.count == columnCount + 1, values.allSatisfy({ $0 <= UInt64(IndexTotals.maximum) }) else {
      throw .badNumber
    }
    rowCount = Int64(values[0])
    tokenCounts = values.dropFirst().map { Int64($0) }
  }

  /// Reads the averages record of an FTS5 table.
  package init(ofTable name: String, columnCount: Int, _ db: Database) throws {
    try self.init(
      averages: DoclistFormat.block(DoclistFormat.averagesID, table: name, db), columnCount: columnCount)
  }
}
