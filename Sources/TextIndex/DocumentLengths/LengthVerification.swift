import GRDB
import SQLiteAccess

/// Compares the stored document lengths of an index with those of its documents.
struct LengthVerification {
  private let table: LengthTable
  /// The expected numbers of documents and terms.
  private(set) var totals: IndexTotals
  /// The expected lengths by run and field.
  private var runs: [Int64: [UInt32]] = [:]

  init(_ table: LengthTable) {
    self.table = table
    totals = IndexTotals(columnCount: table.columnCount)
  }

  /// Adds a document that the index should contain.
  mutating func expect(_ lengths: [UInt32], rowID: Int64) {
    totals.rowCount += 1
    for (column, length) in lengths.enumerated() where length > 0 {
      totals.tokenCounts[column] += Int64(length)
      guard rowID >= 0, rowID <= Int64(DoclistRows.maximumRow) else { continue }
      let id = table.id(run: Int(rowID) >> LengthTable.runBits, column: column)
      let position = Int(rowID) & (LengthTable.runLength - 1)
      runs[id, default: Array(repeating: 0, count: LengthTable.runLength)][position] = length
    }
  }

  /// Returns a description of the first problem; nil if there is none.
  func problem(_ db: Database) throws -> String? {
    guard try table.exists(db) else { return LengthVerification.missing }
    guard let header = try table.header(db) else {
      let hasRow = try Bool.fetchOne(db, sql: "SELECT 1 FROM \(table.name) WHERE id = \(LengthTable.headerID)") ?? false
      // If no document was ever added, the table is empty.
      return hasRow ? LengthVerification.wrong : totals.rowCount > 0 ? LengthVerification.missing : nil
    }
    if header.isAbandoned { return nil }
    guard header.totals == totals else { return LengthVerification.wrong }
    let statement = try SQLStatement(cached: "SELECT id, lengths FROM \(table.name) WHERE id >= 0", in: db)
    defer { statement.reset() }
    var count = 0
    var lengths = [UInt32](repeating: 0, count: LengthTable.runLength)
    while try statement.step() {
      do throws(DoclistCorruption) {
        try lengths.withUnsafeMutableBufferPointer { buffer throws(DoclistCorruption) in
          if let start = buffer.baseAddress { try LengthRun.decode(statement.row.blob(1), into: start) }
        }
      } catch {
        return LengthVerification.wrong
      }
      guard runs[statement.row.int64(0)] == lengths else { return LengthVerification.wrong }
      count += 1
    }
    return count == runs.count ? nil : LengthVerification.wrong
  }

  private static let missing =
    "its document lengths are missing, so FTS5 ranks with its own formula; rebuild it"
  private static let wrong = "its document lengths do not match its documents; rebuild it"
}
