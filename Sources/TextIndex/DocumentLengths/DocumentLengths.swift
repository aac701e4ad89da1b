import GRDB
import SQLiteAccess

/// The lengths of all documents in an index, in memory, with the width in bytes that they have in the file.
///
/// `@unchecked Sendable`: no lock is needed because the object is immutable.
final class DocumentLengths: DocumentLengthSource, @unchecked Sendable {
  private let columnCount: Int
  /// The first run of each column in memory. If old documents are always removed, the rows of the others may be high.
  private let firstRun: Int
  private let runCount: Int
  /// The lengths of each run of each column. A run that is not stored consists of zeros.
  private let runs: UnsafeMutablePointer<LengthRunMemory>
  private let zeros: LengthRunMemory
  /// The memory that ``runs`` points into.
  private let blocks: [LengthBlock]
  /// The number of times that only changed runs were read since all runs were. Each time allocates another block.
  private let generation: Int

  private static let maximumGeneration = 64

  /// Reads the lengths.
  ///
  /// - Complexity: O(n) in the number of documents; about a millisecond for 1,000,000.
  init(_ table: LengthTable, _ db: Database) throws {
    let last = try DocumentLengths.lastID(table, db)
    guard last / Int64(table.columnCount) <= Int64(DoclistRows.maximumRow) >> LengthTable.runBits else {
      throw DoclistCorruption.badNumber
    }
    var memory = LengthMemory(runCount: Int(last) + 1)
    var stored: [(id: Int, run: LengthRunMemory)] = []
    var first = Int(last)
    func read() throws {
      let statement = try SQLStatement(cached: "SELECT id, lengths FROM \(table.name) WHERE id >= 0", in: db)
      defer { statement.reset() }
      while try statement.step() {
        let id = Int(statement.row.int64(0))
        guard id <= Int(last) else { throw DoclistCorruption.badNumber }
        first = min(first, id)
        stored.append((id, memory.copy(try StoredLengthRun(statement.row.blob(1)))))
      }
    }
    if last >= DocumentLengths.minimumScanLength { try db.withSmallPageCache(read) } else { try read() }
    // Sparse rows would need memory for all rows between them.
    guard Int(last) - first <= stored.count * 64 + 4_000_000 else { throw FTS5FallbackRequired.largeRows }
    columnCount = table.columnCount
    firstRun = first / columnCount
    runCount = Int(last) / columnCount - firstRun + 1
    zeros = memory.zeros()
    runs = .allocate(capacity: runCount * columnCount)
    runs.initialize(repeating: zeros, count: runCount * columnCount)
    for (id, run) in stored { runs[id % columnCount * runCount + id / columnCount - firstRun] = run }
    blocks = memory.blocks
    generation = 0
  }

  /// Reads the runs that have changed since an older state, and shares the others with it.
  ///
  /// - Returns: nil if all runs should be read instead.
  init?(_ older: DocumentLengths, changed ids: Set<Int64>, _ table: LengthTable, _ db: Database) throws {
    let changedRuns = ids.map { Int($0) / older.columnCount }
    let (first, last) = (changedRuns.min() ?? older.firstRun, changedRuns.max() ?? older.firstRun)
    // Rejects sparse rows, as above, and limits the number of small blocks.
    guard first >= older.firstRun, last - older.firstRun <= older.runCount + ids.count,
      older.generation < DocumentLengths.maximumGeneration
    else {
      return nil
    }
    var memory = LengthMemory(runCount: ids.count)
    var stored: [(id: Int, run: LengthRunMemory)] = []
    let statement = try SQLStatement(cached: "SELECT lengths FROM \(table.name) WHERE id = ?", in: db)
    defer { statement.reset() }
    for id in ids {
      statement.bind(1, id)
      let run = try statement.step() ? memory.copy(try StoredLengthRun(statement.row.blob(0))) : older.zeros
      statement.reset()
      stored.append((Int(id), run))
    }
    columnCount = older.columnCount
    firstRun = older.firstRun
    runCount = max(older.runCount, last - firstRun + 1)
    zeros = older.zeros
    runs = .allocate(capacity: runCount * columnCount)
    runs.initialize(repeating: zeros, count: runCount * columnCount)
    for column in 0..<columnCount {
      (runs + column * runCount).update(from: older.runs + column * older.runCount, count: older.runCount)
    }
    for (id, run) in stored { runs[id % columnCount * runCount + id / columnCount - firstRun] = run }
    blocks = older.blocks + memory.blocks
    generation = older.generation + 1
  }

  deinit { runs.deallocate() }

  var rowLimit: Int { (firstRun + runCount) << LengthTable.runBits }

  func column(_ column: Int) -> LengthColumn {
    LengthColumn(runs: UnsafePointer(runs + column * runCount), firstRun: firstRun, runCount: runCount)
  }

  /// Half a megabyte of lengths.
  private static let minimumScanLength = 1024

  /// Returns the highest ID, or 0 if the table is empty.
  private static func lastID(_ table: LengthTable, _ db: Database) throws -> Int64 {
    let statement = try SQLStatement(cached: "SELECT max(id) FROM \(table.name)", in: db)
    defer { statement.reset() }
    return try statement.step() ? max(0, statement.row.int64(0)) : 0
  }
}
