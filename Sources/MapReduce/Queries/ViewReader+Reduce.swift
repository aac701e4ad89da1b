import SQLiteAccess

/// A row of the partial result table: a run of adjacent rows of the view and, if it is stored, their partial result.
private struct StoredPart {
  var position: ViewPosition
  var prefix: [UInt8]
  var key: [UInt8]?
  var rowCount: Int64
  var partial: [UInt8]?
}

extension ViewReader {
  /// Calls `body` with the groups of the rows in the given ranges, in view order.
  ///
  /// - Parameters:
  ///   - ranges: the rows. Groups do not extend across ranges unless the level is ``GroupLevel/none``.
  ///   - body: returns whether to continue.
  /// - Complexity: O(n / 512 + g) for n rows in g groups if partial results are stored; otherwise O(n).
  public func forEachGroup(
    in ranges: [ViewRange], _ reducer: any ViewReducer, _ level: GroupLevel,
    _ body: @escaping (ReducedGroup) throws -> Bool
  ) throws {
    var groups = GroupBuilder(reducer, level, body)
    for range in ranges where !groups.isFinished {
      guard !range.isEmpty else { continue }
      if reducer.storesPartials, let number = StoredReductions.number(of: level) {
        try addParts(of: range, number, reducer, to: &groups)
      } else {
        try addRows(of: range, reducer, to: &groups)
      }
      if level != .none { try groups.finish() }
    }
    try groups.finish()
  }

  private func addRows(of range: ViewRange, _ reducer: any ViewReducer, to groups: inout GroupBuilder) throws {
    // The closure cannot capture an inout argument.
    var builder = groups
    try forEachEntry(in: range) { entry in
      try builder.add(try reducedRow(entry, for: reducer))
      return !builder.isFinished
    }
    groups = builder
  }

  private func addParts(
    of range: ViewRange, _ level: Int64, _ reducer: any ViewReducer, to groups: inout GroupBuilder
  ) throws {
    func add(_ part: StoredPart, until next: ViewPosition) throws {
      guard part.rowCount > 0, !groups.isFinished else { return }
      if let partial = part.partial, part.position >= range.lower, next <= range.upper {
        return try groups.add(partial, prefix: part.prefix, key: part.key)
      }
      let rows = ViewRange(lower: max(part.position, range.lower), upper: min(next, range.upper))
      if !rows.isEmpty { try addRows(of: rows, reducer, to: &groups) }
    }
    var previous: StoredPart?
    try forEachPart(at: level, from: range.lower) { part in
      if let previous { try add(previous, until: part.position) }
      previous = part.position < range.upper ? part : nil
      return previous != nil && !groups.isFinished
    }
    if let previous { try add(previous, until: .end) }
  }

  /// Calls `body` with the parts of a level, starting with the one that contains a position.
  private func forEachPart(at level: Int64, from lower: ViewPosition, _ body: (StoredPart) throws -> Bool) throws {
    let statement = try SQLStatement(
      sql: """
        SELECT sort, id, number, prefix, key, row_count, partial FROM \(tables.parts)
        WHERE level = ?1 AND (sort, id, number) >= (
          SELECT sort, id, number FROM \(tables.parts)
          WHERE level = ?1 AND (sort, id, number) <= (?2, ?3, ?4)
          ORDER BY sort DESC, id DESC, number DESC LIMIT 1)
        ORDER BY sort, id, number
        """, in: db)
    defer { statement.clear() }
    statement.bind(1, level)
    statement.bind(2, lower)
    while try statement.step() {
      let row = statement.row
      let part = StoredPart(
        position: ViewPosition(sort: Array(row.blob(0)), id: row.string(1), number: row.int64(2)),
        prefix: Array(row.blob(3)), key: row.isNull(4) ? nil : Array(row.blob(4)), rowCount: row.int64(5),
        partial: row.isNull(6) ? nil : Array(row.blob(6)))
      guard try body(part) else { return }
    }
  }
}
