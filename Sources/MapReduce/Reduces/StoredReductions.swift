import GRDB
import JSONText
import SQLiteAccess

/// The partial results of a view's reduce function, stored in the table `…_parts`.
///
/// The rows of a view are divided into blocks of 128 to 640 adjacent rows; the last block may be smaller. A table row
/// with level −1 marks the start of a block. At each other level, the table divides the block into runs of rows that
/// belong to the same group and stores the partial result of each run. At level 0, all rows are one group; at levels 1
/// to 4, the group is determined by the first 1 to 4 elements of the key; at level 1000, by the whole key.
///
/// If a block has more than 16 groups at a level, the table contains one row without a partial result for that block
/// and level. The row of a run whose partial result is larger than 4 KiB also has no partial result. In both cases, a
/// query reduces the rows of the view instead.
///
/// A query that reduces n rows to g groups reads about n / 512 + g partial results. When a row changes, the
/// partial results of its block are replaced in the same transaction.
struct StoredReductions {
  let reader: ViewReader
  let reducer: any ViewReducer

  private var db: Database { reader.db }
  private var parts: String { reader.tables.parts }

  static let levels: [GroupLevel] = [.key, .elements(4), .elements(3), .elements(2), .elements(1), .none]
  private static let blockLevel: Int64 = -1
  private static let blockSize = 512
  private static let minimumBlockSize = 128
  private static let maximumRunCount = 16
  private static let maximumPartialSize = 4096
  /// The number of changed rows above which all blocks are recomputed.
  static let maximumChangeCount = 100_000

  /// Returns the number of a level in the table; nil if partial results are not stored for it.
  static func number(of level: GroupLevel) -> Int64? {
    switch level {
    case .none: 0
    case .elements(let count) where (1...4).contains(count): Int64(count)
    case .elements: nil
    case .key: 1000
    }
  }

  /// Computes all partial results.
  ///
  /// - Complexity: O(n) in the number of rows.
  func rebuild() throws {
    try db.execute(sql: "DELETE FROM \(parts)")
    try write(from: .start, to: .end)
  }

  /// Recomputes the partial results of the blocks that contain changed rows.
  ///
  /// - Parameter changes: the positions of inserted and removed rows.
  func update(_ changes: [ViewPosition]) throws {
    var end = ViewPosition.start
    for position in changes.sorted() where position >= end {
      let start = try beginning(atOrBefore: position) ?? .start
      end = try beginning(after: position) ?? .end
      var count = try rowCount(from: start, to: end)
      // A block that is too small is merged with the next one.
      while count < StoredReductions.minimumBlockSize, end < .end {
        let next = try beginning(after: end) ?? .end
        count += try rowCount(from: end, to: next)
        end = next
      }
      try remove(from: start, to: end)
      try write(from: start, to: end)
    }
  }

  private func beginning(atOrBefore position: ViewPosition) throws -> ViewPosition? {
    try block(
      "(sort, id, number) <= (?2, ?3, ?4) ORDER BY sort DESC, id DESC, number DESC", position)
  }

  private func beginning(after position: ViewPosition) throws -> ViewPosition? {
    try block("(sort, id, number) > (?2, ?3, ?4) ORDER BY sort, id, number", position)
  }

  private func block(_ condition: String, _ position: ViewPosition) throws -> ViewPosition? {
    let statement = try SQLStatement(
      cached: "SELECT sort, id, number FROM \(parts) WHERE level = ?1 AND \(condition) LIMIT 1", in: db)
    defer { statement.clear() }
    statement.bind(1, StoredReductions.blockLevel)
    statement.bind(2, position)
    guard try statement.step() else { return nil }
    let row = statement.row
    return ViewPosition(sort: Array(row.blob(0)), id: row.string(1), number: row.int64(2))
  }

  private func rowCount(from start: ViewPosition, to end: ViewPosition) throws -> Int {
    let statement = try SQLStatement(
      cached: """
        SELECT count(*) FROM \(reader.tables.rows)
        WHERE (sort, id, number) >= (?1, ?2, ?3) AND (sort, id, number) < (?4, ?5, ?6)
        """, in: db)
    defer { statement.clear() }
    statement.bind(1, start)
    statement.bind(4, end)
    return try statement.step() ? Int(statement.row.int64(0)) : 0
  }

  private func remove(from start: ViewPosition, to end: ViewPosition) throws {
    let statement = try SQLStatement(
      cached: """
        DELETE FROM \(parts)
        WHERE level = ?1 AND (sort, id, number) >= (?2, ?3, ?4) AND (sort, id, number) < (?5, ?6, ?7)
        """, in: db)
    defer { statement.clear() }
    statement.bind(2, start)
    statement.bind(5, end)
    for level in [StoredReductions.blockLevel] + StoredReductions.levels.compactMap({ StoredReductions.number(of: $0) })
    {
      statement.bind(1, level)
      try statement.run()
    }
  }

  /// Divides the rows of a range into blocks and writes their partial results.
  private func write(from start: ViewPosition, to end: ViewPosition) throws {
    var rows: [ReducedRow] = []
    var beginning = start
    var positions: [ViewPosition] = []
    // A block is written only when the next one has enough rows, so that the last block is not too small.
    try reader.forEachEntry(in: ViewRange(lower: start, upper: end)) { entry in
      if rows.count == StoredReductions.blockSize + StoredReductions.minimumBlockSize {
        let next = positions[StoredReductions.blockSize]
        try writeBlock(at: beginning, Array(rows[..<StoredReductions.blockSize]), positions)
        beginning = next
        rows.removeFirst(StoredReductions.blockSize)
        positions.removeFirst(StoredReductions.blockSize)
      }
      rows.append(try reader.reducedRow(entry, for: reducer))
      positions.append(entry.position)
      return true
    }
    try writeBlock(at: beginning, rows, positions)
  }

  private func writeBlock(at beginning: ViewPosition, _ rows: [ReducedRow], _ positions: [ViewPosition]) throws {
    try insert(StoredReductions.blockLevel, beginning, nil, rows.count)
    var finer: [Run]?
    for level in StoredReductions.levels {
      guard let number = StoredReductions.number(of: level) else { continue }
      let runs = try finer.map { try self.runs(joining: $0, rows, level) } ?? self.runs(of: rows, level)
      finer = runs
      guard let runs, !runs.isEmpty else {
        try insert(number, beginning, nil, rows.count)
        continue
      }
      for run in runs {
        try insert(number, run.rows.lowerBound == 0 ? beginning : positions[run.rows.lowerBound], run, run.rows.count)
      }
    }
  }

  /// Adjacent rows that belong to the same group.
  private struct Run {
    var rows: Range<Int>
    var prefix: [UInt8]
    var key: [UInt8]?
    var partial: [UInt8]
  }

  /// Returns the runs of a block; nil if there are too many.
  private func runs(of rows: [ReducedRow], _ level: GroupLevel) throws -> [Run]? {
    var starts: [(index: Int, prefix: [UInt8])] = []
    for (index, row) in rows.enumerated() {
      let prefix = level.prefix(of: row.sort)
      if let last = starts.last, last.prefix.elementsEqual(prefix) { continue }
      guard starts.count < StoredReductions.maximumRunCount else { return nil }
      starts.append((index, Array(prefix)))
    }
    return try starts.indices.map { number in
      let range = starts[number].index..<(number + 1 < starts.count ? starts[number + 1].index : rows.count)
      return Run(
        rows: range, prefix: starts[number].prefix, key: try level.key(of: rows[range.lowerBound].key),
        partial: try reducer.partial(of: Array(rows[range])))
    }
  }

  /// Returns the runs of a level by joining those of a finer level.
  private func runs(joining finer: [Run], _ rows: [ReducedRow], _ level: GroupLevel) throws -> [Run] {
    var groups: [[Run]] = []
    for run in finer {
      let isSame = groups.last?.first.map { level.prefix(of: rows[$0.rows.lowerBound].sort) }
        .map { $0.elementsEqual(level.prefix(of: rows[run.rows.lowerBound].sort)) }
      if isSame == true { groups[groups.count - 1].append(run) } else { groups.append([run]) }
    }
    return try groups.compactMap { group in
      guard let first = group.first, let last = group.last else { return nil }
      let row = rows[first.rows.lowerBound]
      return Run(
        rows: first.rows.lowerBound..<last.rows.upperBound, prefix: Array(level.prefix(of: row.sort)),
        key: try level.key(of: row.key),
        partial: group.count == 1 ? first.partial : try reducer.rereduce(group.map(\.partial)))
    }
  }

  private func insert(_ level: Int64, _ position: ViewPosition, _ run: Run?, _ count: Int) throws {
    let statement = try SQLStatement(cached: "INSERT INTO \(parts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", in: db)
    defer { statement.clear() }
    statement.bind(1, level)
    statement.bind(2, position)
    if let run, run.partial.count <= StoredReductions.maximumPartialSize {
      statement.bind(5, copying: run.prefix, asText: false)
      if let key = run.key { statement.bind(6, copying: key, asText: true) }
      statement.bind(8, copying: run.partial, asText: false)
    }
    statement.bind(7, Int64(count))
    try statement.run()
  }
}
