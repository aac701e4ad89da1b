package import PostgresAccess
package import TextIndex

/// Merges the segments of full-text indexes on PostgreSQL and deletes rows that are not used any longer.
///
/// Any number of processes may run it; an advisory lock lets one at a time work on an index. A merge reads in one
/// transaction and copies its rows in short ones without the lock of writers, so that it neither blocks writers nor waits for
/// them. Then the rows of the replaced segments are deleted, and PostgreSQL reuses their space. If the process ends before, the
/// rows of the unfinished or replaced segments are deleted later.
package struct FullTextMaintenance {
  private let index: StoredFullTextIndex
  private let transactions: any MaintenanceTransactions

  /// The age in seconds at which the rows of segments are deleted that an interrupted process has left. The server may still be
  /// storing them for a short time.
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
  /// - Returns: the number of segments that were written; nil if another process is working on the index.
  package func run(mergingAll all: Bool = false, retirementAge: Double = retirementAge) throws -> Int? {
    let written = try transactions.lock(FullTextMaintenance.lockNumber ^ index.id) {
      // Also here, because a merge that takes long or is interrupted does not reach the end.
      try collectGarbage(retirementAge)
      var written = 0
      for shard in 0..<Int32(try transactions.read { $0.shards.count }) {
        written += try flush(shard, all: all)
        var replaced: [Int32] = []
        while let segments = try merge(shard, all: all) {
          replaced += segments
          written += 1
        }
        try delete(replaced, shard)
      }
      try collectGarbage(retirementAge)
      return written
    }
    return written
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
      try PostgresFullText.reporting(index) {
        try maintenance(session).flushRecent(shard: shard, PostgresSegments(index: index.id, session)) ? 1 : 0
      }
    }
  }

  /// Merges segments of a shard.
  ///
  /// - Returns: the segments that were replaced; nil if none need to be merged.
  private func merge(_ shard: Int32, all: Bool) throws -> [Int32]? {
    try transactions.read { session in
      try PostgresFullText.reporting(index) {
        let storage = PostgresSegments(index: index.id, session)
        let columnCount = index.definition.fields.count
        let manifests = try storage.manifests(changesAfter: [:], columnCount: columnCount).manifests
        guard let manifest = manifests.first(where: { $0.shard == shard }) else { return nil }
        let counts = manifest.segments.map(\.documentCount)
        guard let range = all ? (counts.count > 1 ? counts.indices : nil) : MergePlan.range(counts) else {
          return nil
        }
        let merged = Array(manifest.segments[range])
        let maintenance = maintenance(session)
        let key = try transactions.write { try PostgresSegments(index: index.id, $0).makeSegment(shard: shard).key }
        let node = session.node(ofShard: shard)
        let output = SegmentCopy(key, location: storage.location(shard)) { target, rows in
          try transactions.change(on: node) { try $0.copy(into: target, rows) }
        }
        let entry = try maintenance.merge(range, of: manifest, storage, to: output)
        let isReplaced = try transactions.write {
          try maintenance.replace(merged, with: entry, shard: shard, PostgresSegments(index: index.id, $0))
        }
        return isReplaced ? merged.map(\.number) : nil
      }
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

  /// Deletes the rows of segments that no manifest lists. Transactions that have begun before keep the state that they have
  /// begun with.
  private func delete(_ segments: [Int32], _ shard: Int32) throws {
    guard !segments.isEmpty else { return }
    let (node, value) = try transactions.read { ($0.node(ofShard: shard), $0.nodes.value(ofShard: shard)) }
    try transactions.change(on: node) { connection in
      _ = try connection.run(
        (SegmentSchema.segmentTables + ["cx_retired"]).map { table in
          PostgresStatement(
            "DELETE FROM \(table) WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)",
            [.int64(index.id), .int32(value), .int32s(segments)])
        })
    }
    // Rows are kept for transactions that have begun before they were deleted, such as that of an import. This one begins
    // after it.
    try transactions.write { _ in }
    try transactions.vacuum(SegmentSchema.segmentTables, on: node)
  }
}

/// Runs the transactions of maintenance. They may be nested: a read transaction is open while others write.
package protocol MaintenanceTransactions {
  /// Calls `body` with a session in a read transaction.
  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Calls `body` with a session in a write transaction and commits it.
  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Calls `body` with a connection to a node in a transaction without the lock of writers, so that neither waits for the other.
  /// It must not change what searches find, and only rows that no other transaction changes.
  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T

  /// Makes the space of deleted rows of tables available for new rows, if the server permits it.
  func vacuum(_ tables: [String], on node: Int) throws

  /// Calls `body` while the session-level advisory lock with a number is held; returns nil if another session holds it.
  func lock<T>(_ number: Int64, _ body: () throws -> T) throws -> T?
}
