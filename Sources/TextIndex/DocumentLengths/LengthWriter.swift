import GRDB
import SQLiteAccess

/// Updates the length table while an index changes. Changes are buffered in memory until ``flush(writeChanges:)``
/// writes them.
final class LengthWriter {
  private let table: LengthTable
  private let db: Database
  private var runs: [Int64: Run] = [:]
  /// The most recently changed run in each column, and its number. Most documents are added in row order, so the next
  /// change is usually in the same run.
  private var latest: [Run?]
  private var latestNumber = -1
  /// The changes to the totals since the last flush.
  private var change: IndexTotals
  private var hasChanges = false
  /// The runs written since the last flush.
  private var writtenRuns: Set<Int64> = []
  /// Whether the table is known to match the index.
  private var isReady = false
  /// Whether a row is too large for the table, which then stores no lengths.
  private var isAbandoned = false

  /// The lengths of consecutive rows in a column.
  private final class Run {
    let lengths: UnsafeMutableBufferPointer<UInt32>
    var isChanged = false

    init() {
      lengths = .allocate(capacity: LengthTable.runLength)
      lengths.initialize(repeating: 0)
    }

    deinit { lengths.deallocate() }
  }

  /// The maximum number of runs in memory, which take 8 MiB.
  private static let maximumRunCount = 4096

  init(_ table: LengthTable, _ db: Database) {
    self.table = table
    self.db = db
    latest = Array(repeating: nil, count: table.columnCount)
    change = IndexTotals(columnCount: table.columnCount)
  }

  /// Ensures that the table exists and matches the index. Must be called before the index changes.
  func prepare() throws {
    guard !isReady else { return }
    isReady = true
    do {
      if try table.exists(db), let header = try table.header(db) {
        isAbandoned = header.isAbandoned
        if try isAbandoned || header.totals == table.fullText.totals(db) { return }
      }
    } catch is DoclistCorruption {
      return abandon()
    }
    try fill()
  }

  /// Records the lengths of a document that was added to the index, or, if `sign` is -1, removed from it.
  ///
  /// - Parameter writeChanges: writes this and all earlier changes to FTS5's tables, unless they have been written.
  func record(_ lengths: ArraySlice<UInt32>, rowID: Int64, sign: Int64, writeChanges: () throws -> Void) throws {
    do {
      try gather(lengths, rowID: rowID, sign: sign)
    } catch is DoclistCorruption {
      // A run is damaged, but FTS5 stores the same numbers, including those of this document.
      try writeChanges()
      discard()
      try fill()
      hasChanges = true
    }
  }

  private func gather(_ lengths: ArraySlice<UInt32>, rowID: Int64, sign: Int64) throws {
    hasChanges = true
    change.rowCount += sign
    for (column, length) in lengths.enumerated() { change.tokenCounts[column] += sign * Int64(length) }
    if rowID < 0 || rowID > Int64(DoclistRows.maximumRow) { isAbandoned = true }
    guard !isAbandoned else { return }
    let number = Int(rowID) >> LengthTable.runBits
    let position = Int(rowID) & (LengthTable.runLength - 1)
    if number != latestNumber {
      if runs.count >= LengthWriter.maximumRunCount { try writeRuns() }
      clearLatest()
      latestNumber = number
    }
    for (column, length) in lengths.enumerated() {
      // A run that contains only zeros is not stored.
      guard let run = try latest[column] ?? takeRun(number, column, reading: length != 0) else { continue }
      run.lengths[position] = sign > 0 ? length : 0
      run.isChanged = true
    }
  }

  /// Returns a run of a column from memory or, if `reading` is true, from the table.
  private func takeRun(_ number: Int, _ column: Int, reading: Bool) throws -> Run? {
    let id = table.id(run: number, column: column)
    if runs[id] == nil, reading { runs[id] = try read(id) }
    latest[column] = runs[id]
    return latest[column]
  }

  private func clearLatest() {
    for column in latest.indices { latest[column] = nil }
    latestNumber = -1
  }

  /// Writes the recorded changes, unless the index was dropped in the same transaction.
  ///
  /// - Parameter writeChanges: writes these changes to FTS5's tables.
  func flush(writeChanges: () throws -> Void) throws {
    guard hasChanges else { return }
    guard try table.exists(db) else { return discard() }
    try writeChanges()
    try writeRuns()
    if isAbandoned {
      try db.execute(sql: "DELETE FROM \(table.name)")
      try write(LengthTable.Header.abandoned(columnCount: table.columnCount).bytes, LengthTable.headerID)
    } else if let header = try table.header(db) {
      var totals = header.totals
      totals.rowCount += change.rowCount
      for (column, count) in change.tokenCounts.enumerated() { totals.tokenCounts[column] += count }
      try write(totals, after: header.stamp)
    }
    discard()
  }

  /// Discards the recorded changes after a rollback.
  func discard() {
    runs.removeAll()
    clearLatest()
    writtenRuns.removeAll()
    change = IndexTotals(columnCount: table.columnCount)
    hasChanges = false
  }

  /// Marks the table as unusable because FTS5's data is damaged. Writers do not report that damage; `verify` does.
  private func abandon() {
    isAbandoned = true
    hasChanges = true
  }

  /// Fills the table from FTS5's lengths.
  ///
  /// - Complexity: O(n) in the number of documents; one to two seconds for 1,000,000.
  private func fill() throws {
    do {
      try gatherAll()
    } catch is DoclistCorruption {
      abandon()
    }
  }

  private func gatherAll() throws {
    try table.create(db)
    try db.execute(sql: "DELETE FROM \(table.name)")
    let statement = try SQLStatement(cached: "SELECT id, sz FROM \(table.fullText.name)_docsize", in: db)
    defer { statement.reset() }
    while try statement.step() {
      let sizes = try SegmentStructure.varints(Array(statement.row.blob(1)), from: 0)
      guard sizes.count == table.columnCount, sizes.allSatisfy({ $0 <= UInt64(UInt32.max) }) else {
        throw DoclistCorruption.badNumber
      }
      try gather(sizes.map { UInt32($0) }[...], rowID: statement.row.int64(0), sign: 1)
    }
    let totals = change
    try writeRuns()
    if !isAbandoned { try write(totals) }
    discard()
  }

  private func read(_ id: Int64) throws -> Run {
    let statement = try SQLStatement(cached: "SELECT lengths FROM \(table.name) WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, id)
    let run = Run()
    if try statement.step(), let start = run.lengths.baseAddress {
      try LengthRun.decode(statement.row.blob(0), into: start)
    }
    return run
  }

  private func writeRuns() throws {
    for (id, run) in runs where run.isChanged {
      if let bytes = LengthRun.encode(UnsafeBufferPointer(run.lengths)) {
        try write(bytes, id)
      } else {
        try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE id = ?").execute(arguments: [id])
      }
      writtenRuns.insert(id)
    }
    runs.removeAll(keepingCapacity: true)
    clearLatest()
  }

  /// Writes the header of a new state.
  ///
  /// - Parameter stamp: the stamp of the previous state, which differs from the new one only in the written runs; nil
  ///   if all runs are new.
  private func write(_ totals: IndexTotals, after stamp: UInt64? = nil) throws {
    let header = LengthTable.Header(stamp: .random(in: 0 ... .max), totals: totals)
    try write(header.bytes, LengthTable.headerID)
    guard let stamp else { return }
    var changes = try table.changes(leadingTo: stamp, db)
    changes.append(writtenRuns, leadingTo: header.stamp)
    try write(changes.bytes, LengthTable.changesID)
  }

  private func write(_ bytes: [UInt8], _ id: Int64) throws {
    let statement = try SQLStatement(cached: "INSERT OR REPLACE INTO \(table.name) (id, lengths) VALUES (?, ?)", in: db)
    defer { statement.reset() }
    try bytes.withUnsafeBytes { buffer in
      statement.bind(1, id)
      statement.bind(2, blob: buffer)
      _ = try statement.step()
    }
  }
}
