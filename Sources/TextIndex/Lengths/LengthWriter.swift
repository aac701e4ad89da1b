import GRDB
import GRDBSQLite

/// Keeps the lengths of documents up while an index changes: in memory, until ``flush()`` writes them.
final class LengthWriter {
  private let table: LengthTable
  private let db: Database
  private var runs: [Int64: Run] = [:]
  /// What has changed in sum since the last flush.
  private var change: IndexTotals
  private var hasChanges = false
  /// The runs that were written since the last flush.
  private var writtenRuns: Set<Int64> = []
  /// Whether the table is known to fit the index.
  private var isReady = false
  /// Whether a row is too large for the table, so that nothing can be kept in it.
  private var isAbandoned = false

  private struct Run {
    var lengths: [UInt32]
    var isChanged = false
  }

  /// Runs that are kept in memory: 8 MiB.
  private static let maximumRunCount = 4096

  init(_ table: LengthTable, _ db: Database) {
    self.table = table
    self.db = db
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
    } catch is DoclistDamage {
      return abandon()
    }
    try fill()
  }

  /// Notes the lengths of a document that is put into the index, or, with `sign` -1, taken out of it. To be called when FTS5 has
  /// it.
  func note(_ lengths: [UInt32], rowID: Int64, sign: Int64) throws {
    do {
      try gather(lengths, rowID: rowID, sign: sign)
    } catch is DoclistDamage {
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
    if runs.count >= LengthWriter.maximumRunCount { try writeRuns() }
    let position = Int(rowID) & (LengthTable.runLength - 1)
    for (column, length) in lengths.enumerated() {
      let id = table.id(run: Int(rowID) >> LengthTable.runBits, column: column)
      if runs[id] == nil {
        // A run of nothing but zeros is not stored.
        if length == 0 { continue }
        runs[id] = try Run(lengths: read(id))
      }
      runs[id]?.lengths[position] = sign > 0 ? length : 0
      runs[id]?.isChanged = true
    }
  }

  /// Writes what was noted.
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

  /// Forgets what was noted, because the changes are rolled back.
  func discard() {
    runs.removeAll()
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
    } catch is DoclistDamage {
      abandon()
    }
  }

  private func gatherAll() throws {
    try table.create(db)
    try db.execute(sql: "DELETE FROM \(table.name)")
    let statement = try BlockStatement("SELECT id, sz FROM \(table.fullText.name)_docsize", db)
    defer { statement.reset() }
    while try statement.step() {
      let sizes = try SegmentStructure.varints(Array(statement.bytes(1)), from: 0)
      guard sizes.count == table.columnCount, sizes.allSatisfy({ $0 <= UInt64(UInt32.max) }) else {
        throw DoclistDamage.badNumber
      }
      try gather(sizes.map { UInt32($0) }, rowID: statement.int64(0), sign: 1)
    }
    let totals = change
    try writeRuns()
    if !isAbandoned { try write(totals) }
    discard()
  }

  private func read(_ id: Int64) throws -> [UInt32] {
    let statement = try BlockStatement("SELECT lengths FROM \(table.name) WHERE id = ?", db)
    defer { statement.reset() }
    statement.bind(1, id)
    guard try statement.step() else { return Array(repeating: 0, count: LengthTable.runLength) }
    return try Array(unsafeUninitializedCapacity: LengthTable.runLength) { lengths, count in
      if let start = lengths.baseAddress { try LengthRun.decode(statement.bytes(0), into: start) }
      count = LengthTable.runLength
    }
  }

  private func writeRuns() throws {
    for (id, run) in runs where run.isChanged {
      if let bytes = LengthRun.encode(run.lengths) {
        try write(bytes, id)
      } else {
        try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE id = ?").execute(arguments: [id])
      }
      writtenRuns.insert(id)
    }
    runs.removeAll(keepingCapacity: true)
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
    let statement = try BlockStatement("INSERT OR REPLACE INTO \(table.name) (id, lengths) VALUES (?, ?)", db)
    defer { statement.reset() }
    try bytes.withUnsafeBytes { buffer in
      statement.bind(1, id)
      statement.bind(2, blob: buffer)
      _ = try statement.step()
    }
  }
}
