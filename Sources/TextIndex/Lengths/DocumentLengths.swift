import GRDB

/// The lengths of all documents of an index, in memory: four bytes a document and field.
///
/// `@unchecked Sendable`: it needs no lock, since nothing changes it once it is made.
final class DocumentLengths: @unchecked Sendable {
  private let columnCount: Int
  private let runCount: Int
  /// For each column and run where its lengths stand in ``lengths``, in runs; 0 is a run of zeros.
  private let slots: UnsafeMutablePointer<UInt32>
  private let lengths: UnsafeMutablePointer<UInt32>

  /// Reads the lengths.
  ///
  /// - Complexity: O(n) in the number of documents; 1,000,000 take some milliseconds.
  init(_ table: LengthTable, _ db: Database) throws {
    let (last, count) = try LengthTableSize(table, db).values
    guard last / Int64(table.columnCount) <= Int64(DoclistRows.maximumRow) >> LengthTable.runBits else {
      throw DoclistDamage.badNumber
    }
    // Rows far apart would take memory for all that could be between them.
    guard last <= Int64(count) * 64 + 1_000_000 else { throw UnreadableIndex.largeRows }
    columnCount = table.columnCount
    runCount = Int(last) / columnCount + 1
    slots = .allocate(capacity: runCount * columnCount)
    slots.update(repeating: 0, count: runCount * columnCount)
    lengths = .allocate(capacity: (count + 1) << LengthTable.runBits)
    lengths.update(repeating: 0, count: LengthTable.runLength)
    let statement = try BlockStatement("SELECT id, lengths FROM \(table.name) WHERE id >= 0", db)
    defer { statement.reset() }
    var slot = 0
    while try statement.step() {
      let id = Int(statement.int64(0))
      slot += 1
      guard id <= Int(last), slot <= count else { throw DoclistDamage.badNumber }
      slots[id % columnCount * runCount + id / columnCount] = UInt32(slot)
      try LengthRun.decode(statement.bytes(1), into: lengths + slot << LengthTable.runBits)
    }
  }

  deinit {
    slots.deallocate()
    lengths.deallocate()
  }

  /// One more than the highest row that may have a length.
  var rowLimit: Int { runCount << LengthTable.runBits }

  /// The lengths of a column, to be used while this object lives.
  func column(_ column: Int) -> Column {
    Column(slots: slots + column * runCount, lengths: lengths, runCount: runCount)
  }

  /// The lengths of a column.
  struct Column {
    fileprivate let slots: UnsafePointer<UInt32>
    fileprivate let lengths: UnsafePointer<UInt32>
    fileprivate let runCount: Int

    fileprivate init(slots: UnsafeMutablePointer<UInt32>, lengths: UnsafeMutablePointer<UInt32>, runCount: Int) {
      self.slots = UnsafePointer(slots)
      self.lengths = UnsafePointer(lengths)
      self.runCount = runCount
    }

    /// How many terms the column has in a document; 0 for a document that is not in the index.
    @inline(__always)
    func callAsFunction(_ row: UInt32) -> UInt32 {
      let run = Int(row >> UInt32(LengthTable.runBits))
      guard run < runCount else { return 0 }
      return lengths[Int(slots[run]) << LengthTable.runBits | Int(row) & (LengthTable.runLength - 1)]
    }
  }
}

/// How much the table of lengths holds.
private struct LengthTableSize {
  /// The highest id, or 0, and the number of runs.
  let values: (last: Int64, count: Int)

  init(_ table: LengthTable, _ db: Database) throws {
    let statement = try BlockStatement("SELECT max(id), count(*) FROM \(table.name) WHERE id >= 0", db)
    defer { statement.reset() }
    values = try statement.step() ? (max(0, statement.int64(0)), Int(statement.int64(1))) : (0, 0)
  }
}
