package import PostgresAccess
package import TextIndex

/// Merges the segments of full-text indexes on PostgreSQL and deletes rows that are not used any longer.
///
/// Any number of processes may run it; an advisory lock lets one at a time work on an index. A merge reads in one
/// transaction and copies its rows in short ones without the lock of writers, so that it neither blocks writers nor waits for
/// them. If the process ends before the last
/// one, the rows of the unfinished segment are deleted later.
package struct FullTextMaintenance {
  private let index: StoredFullTextIndex
  private let transactions: any MaintenanceTransactions

  /// The age in seconds at which the rows of retired segments are deleted. Transactions see them as long as they need them
  /// anyway; the delay is for servers that do not give a transaction one unchanging state.
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
        while try merge(shard, all: all) { written += 1 }
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

  private func merge(_ shard: Int32, all: Bool) throws -> Bool {
    try transactions.read { session in
      try PostgresFullText.reporting(index) {
        let storage = PostgresSegments(index: index.id, session)
        let columnCount = index.definition.fields.count
        let manifests = try storage.manifests(changesAfter: [:], columnCount: columnCount).manifests
        guard let manifest = manifests.first(where: { $0.shard == shard }) else { return false }
        let counts = manifest.segments.map(\.documentCount)
        guard let range = all ? (counts.count > 1 ? counts.indices : nil) : MergePlan.range(counts) else {
          return false
        }
        let maintenance = maintenance(session)
        let key = try transactions.write { try PostgresSegments(index: index.id, $0).makeSegment(shard: shard).key }
        let output = SegmentCopy(key, location: storage.location(shard)) { target, rows in
          try transactions.append(rows, into: target, shard: shard)
        }
        let entry = try maintenance.merge(range, of: manifest, storage, to: output)
        return try transactions.write {
          try maintenance.replace(
            Array(manifest.segments[range]), with: entry, shard: shard, PostgresSegments(index: index.id, $0))
        }
      }
    }
  }

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
    guard !retired.isEmpty else { return }
    try transactions.write { session in
      for (shard, segments) in retired.sorted(by: { $0.key < $1.key }) {
        for table in SegmentSchema.segmentTables + ["cx_retired"] {
          try session.enqueue(
            PostgresStatement(
              "DELETE FROM \(table) WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)",
              [.int64(index.id), .int32(session.nodes.value(ofShard: shard)), .int32s(segments)]),
            on: session.node(ofShard: shard))
        }
      }
    }
  }
}

/// Runs the transactions of maintenance. They may be nested: a read transaction is open while others write.
package protocol MaintenanceTransactions {
  /// Calls `body` with a session in a read transaction.
  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Calls `body` with a session in a write transaction and commits it.
  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T

  /// Copies rows into a table in a transaction without the lock of writers. No other transaction may use the rows before a
  /// later transaction with the lock.
  func append(_ rows: PostgresCopyRows, into target: String, shard: Int32) throws

  /// Calls `body` while the session-level advisory lock with a number is held; returns nil if another session holds it.
  func lock<T>(_ number: Int64, _ body: () throws -> T) throws -> T?
}
