package import GRDB
import SQLiteAccess

extension SegmentAppender {
  /// Merges full levels, unless they are so large that FTS5 must divide the work among transactions.
  ///
  /// - Parameter leafCount: the number of leaves that the transaction has added.
  func mergeFullLevels(
    _ levels: inout SegmentLevels, afterAdding leafCount: Int64, pageSize: Int, _ db: Database
  ) throws {
    while let range = levels.levelsToMerge(afterAdding: leafCount), let id = levels.unusedID {
      levels.merge(range, into: id, leafCount: try merge(range, of: levels, into: id, pageSize: pageSize, db))
    }
  }

  /// Merges the youngest segments into one after many changes, as far as one transaction may, so that searches read
  /// fewer pages.
  ///
  /// - Throws: ``FTS5FallbackRequired`` if the table is not supported, or ``DoclistCorruption``, and nothing is
  ///   changed; `DatabaseError`.
  package func mergeYoungestSegments(_ db: Database) throws {
    try mergeSegments(db) { $0.youngestLevelsToMerge() }
  }

  /// Merges all segments into one.
  ///
  /// - Parameter mergeInFTS5: lets FTS5 merge those that remain, which takes several times as long: all if FTS5 has
  ///   begun to merge some of them, if they are large, or if the table is damaged or not supported.
  /// - Throws: `DatabaseError`.
  package func mergeAllSegments(thenInFTS5 mergeInFTS5: (Database) throws -> Void, _ db: Database) throws {
    try skippingUnreadableIndex { try mergeSegments(db) { $0.allLevelsToMerge } }
    // FTS5 does nothing if there is only one segment.
    try mergeInFTS5(db)
  }

  /// - Parameter choose: returns the levels to merge, which include the youngest one; nil for none.
  private func mergeSegments(_ db: Database, _ choose: (SegmentLevels) -> Range<Int>?) throws {
    let pageSize = try pageSize(db)
    try SegmentAppender.flushFTS5(db)
    var levels = try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: table, db))
    guard let range = choose(levels), let id = levels.unusedID else { return }
    try UntrustedSchemaSettings.withoutDefense(db) {
      let leafCount = try merge(range, of: levels, into: id, pageSize: pageSize, db)
      levels.mergeYoungest(range, into: id, leafCount: leafCount)
      try BlockWriter(table, db).write(DoclistFormat.structureID, levels.record)
    }
    try resetFTS5(db)
  }

  /// Replaces the segments of levels by their merged segment in the tables, but not in the structure record.
  ///
  /// - Parameter id: the number of the merged segment.
  /// - Returns: the number of leaves of the merged segment.
  private func merge(
    _ range: Range<Int>, of levels: SegmentLevels, into id: Int64, pageSize: Int, _ db: Database
  ) throws -> Int64 {
    let segments = levels.segments(of: range)
    let merge = SegmentMerge(
      segments: segments.compactMap(\.ifNotEmpty), isOldest: levels.areOldest(range), table: table, detail: detail)
    let leafCount: Int64
    do {
      leafCount = try merge.run(
        segment: id, pageSize: pageSize, db, storing: store(segment: id, encodedAs: id, db))
    } catch let error as DoclistCorruption {
      // Without a savepoint, which would keep all changed pages in memory.
      try remove(segment: id, db)
      throw error
    }
    try db.withoutOverwritingFreedPages {
      for segment in segments { try remove(segment: Int64(segment.id), db) }
    }
    return leafCount
  }

  /// Removes the leaves, doclist indexes, bounds and separators of a segment.
  func remove(segment: Int64, _ db: Database) throws {
    let blocks = try SQLStatement(cached: "DELETE FROM \(table)_data WHERE id BETWEEN ? AND ?", in: db)
    blocks.bind(1, segment << DoclistFormat.segmentShift)
    blocks.bind(2, (segment + 1) << DoclistFormat.segmentShift - 1)
    try blocks.run()
    let separators = try SQLStatement(cached: "DELETE FROM \(table)_idx WHERE segid = ?", in: db)
    separators.bind(1, segment)
    try separators.run()
  }
}
