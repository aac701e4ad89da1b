import GRDB
import SQLiteAccess

/// The lengths of all documents in an index, in memory: four bytes per document and field.
///
/// `@unchecked Sendable`: no lock is needed because the object is immutable.
final class DocumentLengths: DocumentLengthSource, @unchecked Sendable {
  private let columnCount: Int
  private let runCount: Int
  /// The lengths of each run of each column. A run that is not stored consists of zeros.
  private let runs: UnsafeMutablePointer<UnsafePointer<UInt32>>
  /// The memory that ``runs`` points into. The first block starts with a run of zeros.
  private let blocks: [LengthBlock]

  /// Reads the lengths.
  ///
  /// - Complexity: O(n) in the number of documents; a few milliseconds for 1,000,000.
  init(_ table: LengthTable, _ db: Database) throws {
    let (last, count) = try LengthTableSize(table, db).values
    guard last / Int64(table.columnCount) <= Int64(DoclistRows.maximumRow) >> LengthTable.runBits else {
      throw DoclistCorruption.badNumber
    }
    // Sparse rows would need memory for all rows between them.
    guard last <= Int64(count) * 64 + 4_000_000 else { throw FTS5FallbackRequired.largeRows }
    let block = LengthBlock(runCount: count + 1)
    block.run(0).update(repeating: 0, count: LengthTable.runLength)
    columnCount = table.columnCount
    runCount = Int(last) / columnCount + 1
    runs = .allocate(capacity: runCount * columnCount)
    runs.initialize(repeating: UnsafePointer(block.run(0)), count: runCount * columnCount)
    blocks = [block]
    let statement = try SQLStatement(cached: "SELECT id, lengths FROM \(table.name) WHERE id >= 0", in: db)
    defer { statement.reset() }
    var number = 0
    while try statement.step() {
      let id = Int(statement.row.int64(0))
      number += 1
      guard id <= Int(last), number <= count else { throw DoclistCorruption.badNumber }
      try LengthRun.decode(statement.row.blob(1), into: block.run(number))
      runs[id % columnCount * runCount + id / columnCount] = UnsafePointer(block.run(number))
    }
  }

  /// Reads the runs that have changed since an older state, and shares the others with it.
  ///
  /// - Returns: nil if all runs should be read instead.
  init?(_ older: DocumentLengths, changed ids: Set<Int64>, _ table: LengthTable, _ db: Database) throws {
    let last = Int(ids.max() ?? 0)
    // Rejects sparse rows, as above, and limits the number of small blocks.
    guard last / older.columnCount <= older.runCount + ids.count, older.blocks.count < DocumentLengths.maximumBlockCount
    else {
      return nil
    }
    let block = LengthBlock(runCount: ids.count)
    columnCount = older.columnCount
    runCount = max(older.runCount, last / columnCount + 1)
    runs = .allocate(capacity: runCount * columnCount)
    runs.initialize(repeating: UnsafePointer(older.blocks[0].run(0)), count: runCount * columnCount)
    for column in 0..<columnCount {
      (runs + column * runCount).update(from: older.runs + column * older.runCount, count: older.runCount)
    }
    blocks = older.blocks + [block]
    let statement = try SQLStatement(cached: "SELECT lengths FROM \(table.name) WHERE id = ?", in: db)
    defer { statement.reset() }
    for (number, id) in ids.enumerated() {
      statement.bind(1, id)
      let run = block.run(number)
      if try statement.step() {
        try LengthRun.decode(statement.row.blob(0), into: run)
      } else {
        run.update(repeating: 0, count: LengthTable.runLength)
      }
      statement.reset()
      runs[Int(id) % columnCount * runCount + Int(id) / columnCount] = UnsafePointer(run)
    }
  }

  private static let maximumBlockCount = 64

  deinit { runs.deallocate() }

  var rowLimit: Int { runCount << LengthTable.runBits }

  func column(_ column: Int) -> LengthColumn {
    LengthColumn(runs: UnsafePointer(runs + column * runCount), runCount: runCount)
  }
}

/// Memory for the lengths of several runs.
///
/// `@unchecked Sendable`: no lock is needed because it is filled before it is shared with other threads, and not
/// changed afterwards.
private final class LengthBlock: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt32>

  init(runCount: Int) {
    // Small pages would take most of the time of reading the lengths.
    memory = HugePages.allocate(UInt32.self, capacity: runCount << LengthTable.runBits)
  }

  deinit { memory.deallocate() }

  func run(_ number: Int) -> UnsafeMutablePointer<UInt32> { memory + number << LengthTable.runBits }
}

/// The size of the length table.
private struct LengthTableSize {
  /// The highest ID, or 0 if the table is empty, and the number of runs.
  let values: (last: Int64, count: Int)

  init(_ table: LengthTable, _ db: Database) throws {
    let statement = try SQLStatement(cached: "SELECT max(id), count(*) FROM \(table.name) WHERE id >= 0", in: db)
    defer { statement.reset() }
    values = try statement.step() ? (max(0, statement.row.int64(0)), Int(statement.row.int64(1))) : (0, 0)
  }
}
