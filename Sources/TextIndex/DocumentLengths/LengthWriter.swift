import GRDB
import SQLiteAccess

/// Keeps the lengths of documents up while an index changes: in memory, until ``flush()`` writes them.
final class LengthWriter {
  private let table: LengthTable
  private let db: Database
  private var runs: [Int64: Run] = [:]
  /// The run that was changed last in each column, and its number: most documents come in the order of their rows.
  private var latest: [Run?]
  private var latestNumber = -1
  /// The total changes since the last flush.
  private var change: IndexTotals
  private var hasChanges = false
  /// The runs that were written since the last flush.
  private var writtenRuns: Set<Int64> = []
  /// Whether the table is known to fit the index.
  private var isReady = false
  /// Whether a row is too large for the table, so that nothing can be kept in it.
  private var isAbandoned = false

  /// The lengths of neighbouring rows in a column.
  private final class Run {
    let lengths: UnsafeMutableBufferPointer<UInt32>
    var isChanged = false

    init() {
      lengths = .allocate(capacity: LengthTable.runLength)
      lengths.initialize(repeating: 0)
    }

    deinit { lengths.deallocate() }
  }

  /// Runs that are kept in memory: 8 MiB.
  private static let maximumRunCount = 4096

  init(_ table: LengthTable, _ db: Database) {
    self.table = table
    self.db = db
    latest = Array(repeating: nil, count: table.columnCount)
    change = IndexTotals(columnCount: table.columnCount)
  }

  /// Sees to it that the table is there and holds what the index holds. To be called before the index changes.
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

  /// Notes the lengths of a document that is put into the index, or, with `sign` -1, taken out of it. To be called when FTS5 has
  /// it.
  func note(_ lengths: [UInt32], rowID: Int64, sign: Int64) throws {
    do {
      try gather(lengths, rowID: rowID, sign: sign)
    } catch is DoclistCorruption {
      // A run is damaged, but FTS5 has the same numbers, those of this document included.
      discard()
      try fill()
      hasChanges = true
    }
  }

  private func gather(_ lengths: [UInt32], rowID: Int64, sign: Int64) throws {
    hasChanges = true
    change.rowCount += sign
    for (column, length) in lengths.enumerated() { change.tokenCounts[column] += sign * Int64(length) }
    if rowID < 0 || rowID > Int64(DoclistRows.maximumRow) { isAbandoned = true }
    guard !isAbandoned else { return }
    let number = Int(rowID) >> LengthTable.runBits
    let position = Int(rowID) & (LengthTable.runLength - 1)
    if number != latestNumber {
      if runs.count >= LengthWriter.maximumRunCount { try writeRuns() }
      forgetLatest()
      latestNumber = number
    }
    for (column, length) in lengths.enumerated() {
      // A run of nothing but zeros is not stored.
      guard let run = try latest[column] ?? takeRun(number, column, reading: length != 0) else { continue }
      run.lengths[position] = sign > 0 ? length : 0
      run.isChanged = true
    }
  }

  /// The run with this number in a column, as it is in memory or, when asked for, in the table.
  private func takeRun(_ number: Int, _ column: Int, reading: Bool) throws -> Run? {
    let id = table.id(run: number, column: column)
    if runs[id] == nil, reading { runs[id] = try read(id) }
    latest[column] = runs[id]
    return latest[column]
  }

  private func forgetLatest() {
    for column in latest.indices { latest[column] = nil }
    latestNumber = -1
  }

  /// Writes the recorded changes.
  func flush() throws {
    guard hasChanges else { return }
    // The index may have been dropped in the same transaction.
    guard try table.exists(db) else { return discard() }
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
    forgetLatest()
    writtenRuns.removeAll()
    change = IndexTotals(columnCount: table.columnCount)
    hasChanges = false
  }

  /// What FTS5 holds is damaged. It is not for a writer to find fault with it, but nothing is read from here then.
  private func abandon() {
    isAbandoned = true
    hasChanges = true
  }

  /// Makes the table of FTS5's own lengths.
  ///
  /// - Complexity: O(n) in the number of documents; 1,000,000 take a second or two.
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
      try gather(sizes.map { UInt32($0) }, rowID: statement.row.int64(0), sign: 1)
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
    forgetLatest()
  }

  /// Writes the header of a new state.
  ///
  /// - Parameter stamp: of the state before, from which the runs that were written lead to this one; nil where all are new.
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
