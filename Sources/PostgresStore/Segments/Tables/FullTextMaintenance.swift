package import PostgresAccess
package import TextIndex

/// Merges the segments of full-text indexes on PostgreSQL and deletes rows that are no longer used.
///
/// Any number of processes may run it; an advisory lock lets one at a time work on an index. A merge reads in one
/// transaction and copies its rows in short ones without the lock of writers, so that it neither blocks writers nor
/// waits for them. Then the rows of the replaced segments are deleted, and PostgreSQL reuses their space. If the
/// process ends before, the rows of the unfinished or replaced segments are deleted later.
///
/// The lock belongs to a connection, so it may be lost during a merge. Each transaction therefore depends on the row of
/// the new segment in `cx_retired`: rows are added only while it is locked, it is deleted together with the rows, and
/// the manifest lists the segment only if it still exists.
package struct FullTextMaintenance {
  private let index: StoredFullTextIndex
  private let transactions: any MaintenanceTransactions

  /// The age in seconds at which the rows of segments are deleted that an interrupted process has left. The server may
  /// still be storing them for a short time.
  package static let retirementAge = 600.0

  /// - Parameter transactions: runs transactions of the database.
  package init(_ index: StoredFullTextIndex, _ transactions: any MaintenanceTransactions) {
    self.index = index
    self.transactions = transactions
  }

  /// Writes recent changes to segments and merges segments until none need to be merged.
  ///
  /// - Parameters:
  ///   - all: whether all segments of a shard are merged into one, instead of only those that have become too many.
  ///   - retirementAge: the age in seconds at which rows of retired segments are deleted.
  /// - Returns: the number of segments that were written; nil if another process is working on the index or has dropped
  ///   it.
  package func run(mergingAll all: Bool = false, retirementAge: Double = retirementAge) throws -> Int? {
    try PostgresFullText.reporting(index) { () throws -> Int? in
      do {
        return try transactions.lock(FullTextMaintenance.lockNumber ^ index.id) { requireLock in
          try run(mergingAll: all, retirementAge: retirementAge, requireLock)
        }
      } catch is DeletedSegment {
        return nil
      } catch let damage as any IndexDamage {
        // If the index was dropped, its rows are missing.
        guard try isDropped() else { throw damage }
        return nil
      }
    }
  }

  private func run(
    mergingAll all: Bool, retirementAge: Double, _ requireLock: @escaping () throws -> Void
  ) throws -> Int {
    // Also here, because a merge that takes long or is interrupted does not reach the end.
    try collectGarbage(retirementAge)
    var written = 0
    for shard in 0..<Int32(try transactions.read { $0.shards.count }) {
      written += try flush(shard, all: all)
      var replaced: [Int32] = []
      while let segments = try merge(shard, all: all, requireLock) {
        replaced += segments
        written += 1
      }
      try delete(replaced, shard)
    }
    try collectGarbage(retirementAge)
    return written
  }

  private func isDropped() throws -> Bool {
    try transactions.read { session in
      let counts = try session.queryAll { shard in
        PostgresStatement(
          "SELECT count(*) FROM cx_ft WHERE idx = $1\(shard.condition(2))", [.int64(index.id)] + shard.parameters)
      }
      return (0..<counts.count).allSatisfy { counts.int64($0, 0) == 0 }
    }
  }

  /// Mixed with the ID of the index: "fulltext" in ASCII.
  private static let lockNumber: Int64 = 0x6675_6C6C_7465_7874

  private func maintenance(_ session: any PostgresSession) -> SegmentMaintenance {
    SegmentMaintenance(index: index, division: RowDivision(session.shards))
  }

  private func flush(_ shard: Int32, all: Bool) throws -> Int {
    let counts = try transactions.read { session in
      try session.query(
        "SELECT count(*) FROM cx_recent WHERE idx = $1 AND shard = $2",
        [.int64(index.id), .int32(session.nodes.value(ofShard: shard))],
        on: session.node(ofShard: shard)
      ).int64(0, 0)
    }
    guard counts > (all ? 0 : SegmentMaintenance.recentLimit) else { return 0 }
    return try transactions.write { session in
      try maintenance(session).flushRecent(shard: shard, PostgresSegments(index: index.id, session)) ? 1 : 0
    }
  }

  /// Merges segments of a shard.
  ///
  /// - Returns: the segments that were replaced; nil if none need to be merged, or if another process has merged them.
  private func merge(_ shard: Int32, all: Bool, _ requireLock: @escaping () throws -> Void) throws -> [Int32]? {
    try transactions.read { (session) throws -> [Int32]? in
      let storage = PostgresSegments(index: index.id, session)
      let columnCount = index.definition.fields.count
      guard let manifest = try storage.manifest(shard: shard, columnCount: columnCount, isLocked: false) else {
        return nil
      }
      let counts = manifest.segments.map(\.documentCount)
      guard let range = all ? (counts.count > 1 ? counts.indices : nil) : MergePlan.range(counts) else {
        return nil
      }
      let merged = Array(manifest.segments[range])
      let maintenance = maintenance(session)
      let key = try transactions.write { try PostgresSegments(index: index.id, $0).makeSegment(shard: shard).key }
      let node = session.node(ofShard: shard)
      let location = storage.location(shard)
      let output = SegmentCopy(key, location: location) { target, rows in
        try requireLock()
        try transactions.change(on: node) { connection in
          // While this row is locked, no other process deletes the rows of the segment.
          let listed = try connection.run(
            "SELECT seg FROM cx_retired WHERE idx = $1 AND shard = $2 AND seg = $3 FOR SHARE",
            location + [.int32(key.segment)])
          guard listed.count == 1 else { throw DeletedSegment() }
          try connection.copy(into: target, rows)
        }
      }
      let entry = try maintenance.merge(range, of: manifest, storage, to: output)
      let isReplaced = try transactions.write {
        try maintenance.replace(merged, with: entry, shard: shard, PostgresSegments(index: index.id, $0))
      }
      return isReplaced ? merged.map(\.number) : nil
    }
  }

  /// Deletes the rows of segments that an interrupted process has left.
  private func collectGarbage(_ age: Double) throws {
    let retired = try transactions.read { session in
      let result = try session.queryAll { shard in
        PostgresStatement(
          "SELECT shard, seg FROM cx_retired WHERE idx = $1 AND since <= now() - make_interval(secs => $2)"
            + shard.condition(3), [.int64(index.id), .double(age)] + shard.parameters)
      }
      return Dictionary(grouping: 0..<result.count) { session.nodes.shard(ofValue: result.int64($0, 0)) }
        .mapValues { rows in rows.map { Int32(clamping: result.int64($0, 1)) } }
    }
    for (shard, segments) in retired.sorted(by: { $0.key < $1.key }) {
      try delete(segments, shard)
    }
  }

  /// Deletes the rows of segments that no manifest lists. Transactions that have begun before keep the state that they
  /// have begun with.
  private func delete(_ segments: [Int32], _ shard: Int32) throws {
    guard !segments.isEmpty else { return }
    let (node, location) = try transactions.read { session in
      (session.node(ofShard: shard), PostgresSegments(index: index.id, session).location(shard))
    }
    let isDeleted = try transactions.change(on: node) { (connection) throws -> Bool in
      let result = try connection.run(
        "DELETE FROM cx_retired WHERE idx = $1 AND shard = $2 AND seg = ANY ($3) RETURNING seg",
        location + [.int32s(segments)])
      // A segment whose merge has ended in the meantime is in the manifest and not among them.
      let deleted = (0..<result.count).map { Int32(clamping: result.int64($0, 0)) }
      guard !deleted.isEmpty else { return false }
      _ = try connection.run(
        SegmentSchema.segmentTables.map { table in
          PostgresStatement(
            "DELETE FROM \(table) WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)", location + [.int32s(deleted)])
        })
      return true
    }
    guard isDeleted else { return }
    // Rows are kept for transactions that have begun before they were deleted, such as that of an import. This one
    // begins after it.
    try transactions.write { _ in }
    try transactions.vacuum(SegmentSchema.segmentTables, on: node)
  }
}

/// Thrown if another process has deleted the rows of a segment that is being written: the lock of the index was lost,
/// or the index was dropped.
private struct DeletedSegment: Error {}

/// Runs the transactions of maintenance. They may be nested: a read transaction is open while others write.
package protocol MaintenanceTransactions {
  /// Calls `body` with a session in a read transaction.
  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Calls `body` with a session in a write transaction and commits it.
  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Calls `body` with a connection to a node in a transaction without the lock of writers, so that neither waits for
  /// the other. It must not change what searches find, and only rows that no other transaction changes.
  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T

  /// Makes the space of deleted rows of tables available for new rows, if the server permits it.
  func vacuum(_ tables: [String], on node: Int) throws

  /// Calls `body` while the session-level advisory lock with a number is held; returns nil if another session holds it.
  ///
  /// - Parameter body: receives a function that throws ``PostgresError`` if the lock was lost. It is called before each
  ///   change.
  func lock<T>(_ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T) throws -> T?
}
