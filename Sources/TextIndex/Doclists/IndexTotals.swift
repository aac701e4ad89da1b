package import GRDB

/// The number of documents of an index and the number of terms in each column: the averages record of
/// ``DoclistFormat``.
package struct IndexTotals: Hashable {
  package var rowCount: Int64 = 0
  package var tokenCounts: [Int64]

  /// More than any index has documents or terms. Sums of numbers up to this limit do not overflow.
  static let maximum: Int64 = 1 << 53

  init(columnCount: Int) { tokenCounts = Array(repeating: 0, count: columnCount) }

  /// Whether these are plausible totals of an index.
  var isPossible: Bool {
    let possible = 0...IndexTotals.maximum
    return possible.contains(rowCount) && tokenCounts.allSatisfy(possible.contains)
  }

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
}

extension IndexTotals {
  /// Reads the averages record of an FTS5 table.
  package init(ofTable name: String, columnCount: Int, _ db: Database) throws {
    try self.init(
      averages: DoclistFormat.block(DoclistFormat.averagesID, table: name, db), columnCount: columnCount)
  }
}
