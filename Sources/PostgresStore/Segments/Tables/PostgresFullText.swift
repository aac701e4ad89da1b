import PostgresAccess
import Synchronization
import TextIndex

/// The full-text indexes of a database on PostgreSQL: creates, drops, opens, writes and maintains them.
enum PostgresFullText {
  /// Adds the state of an empty index in all shards.
  static func create(_ index: StoredFullTextIndex, _ session: any PostgresSession) throws {
    guard !session.nodes.isOnCitus else {
      let totals = PostgresValue.int64s([Int64](repeating: 0, count: index.definition.fields.count + 1))
      return try session.enqueueAll { shard in
        PostgresStatement(
          "INSERT INTO cx_ft (idx, shard, seq, flushed, next_seg, totals, segments) VALUES ($1, $2, 0, 0, 1, $3, '')",
          [.int64(index.id)] + shard.parameters + [totals])
      }
    }
    for (number, node) in session.nodes.nodes.enumerated() {
      try session.enqueue(
        PostgresStatement(
          """
          INSERT INTO cx_ft (idx, shard, seq, flushed, next_seg, totals, segments)
          SELECT $1, s, 0, 0, 1, array_fill(0::int8, ARRAY[$4::int4]), '' FROM generate_series($2::int4, $3::int4) s
          """,
          [
            .int64(index.id), .int32(node.shards.lowerBound), .int32(node.shards.upperBound),
            .int32(Int32(clamping: index.definition.fields.count + 1)),
          ]), on: number)
    }
  }

  /// Deletes all rows of an index.
  static func drop(_ index: Int64, _ session: any PostgresSession) throws {
    for table in SegmentSchema.tables {
      try session.enqueueAll { $0.deletion(from: table, index: index) }
    }
  }

  /// Returns access to an index in a transaction: no round trip if the database has not changed since the index was
  /// last read, otherwise one.
  ///
  /// - Parameters:
  ///   - cache: the cache of the index, of which the database has one.
  ///   - session: the session of the transaction. Changes of the index must have been flushed.
  static func postings(
    _ index: StoredFullTextIndex, _ session: any PostgresSession, _ cache: SegmentIndexCache
  ) throws -> SegmentPostingStore {
    let segments = PostgresSegments(index: index.id, session)
    let reader = SnapshotReader(
      cache: cache, storage: segments, source: segments, columnCount: index.definition.fields.count,
      division: segments.division)
    return try reader.postings(
      of: index, version: session.isWriting ? nil : session.snapshot(), isCommitted: !session.isWriting)
  }

  /// Returns a writer of an index in a write transaction. If it adds the tenth segment of a tier, the index is merged
  /// after the commit.
  static func writer(_ index: StoredFullTextIndex, memory: Int, _ session: ConnectionSession) throws
    -> SegmentIndexWriter
  {
    let segments = PostgresSegments(index: index.id, session)
    let writer = try SegmentIndexWriter(index, segments, segments.division, memory: memory)
    // The session owns the tables that own the writer.
    writer.didWriteSegment = { [weak session] segments in
      if MergePlan.range(segments.map(\.documentCount)) != nil { session?.indexesToMerge[index.id] = .fullText(index) }
    }
    return writer
  }

  /// Returns the number of documents and the size in bytes of an index.
  static func statistics(
    of index: StoredFullTextIndex, _ session: any PostgresSession
  ) throws -> (documentCount: Int, size: Int) {
    let result = try session.queryAll { shard in
      PostgresStatement(
        """
        SELECT seq, flushed, totals, segments, coalesce((
          SELECT sum(length(added)) FROM cx_recent r
          WHERE r.idx = f.idx AND r.shard = f.shard\(shard.condition(2, "r"))), 0)::int8
        FROM cx_ft f WHERE idx = $1\(shard.condition(2, "f"))
        """, [.int64(index.id)] + shard.parameters)
    }
    return try reporting(index) {
      try (0..<result.count).reduce((0, 0)) { sums, row in
        // The sums of possible numbers of all shards do not overflow.
        let manifest = try ShardManifest(result, row, shard: 0, from: 0, index.definition.fields.count)
        let size = manifest.segments.reduce(Int(result.int64(row, 4))) { $0 + $1.size }
        return (sums.0 + Int(manifest.totals.rowCount), sums.1 + size)
      }
    }
  }

  /// Calls `body` and translates damage to an error of the index.
  static func reporting<T>(_ index: StoredFullTextIndex, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let damage as any IndexDamage { throw damage.error(index: index.name) }
  }
}

/// The caches of the full-text indexes of an open database, by the ID of the index.
final class FullTextCaches: Sendable {
  private let caches = Mutex<[Int64: SegmentIndexCache]>([:])

  /// Returns the cache of an index, which is created if there is none.
  subscript(index: Int64) -> SegmentIndexCache {
    caches.withLock { caches in
      if let known = caches[index] { return known }
      let made = SegmentIndexCache()
      caches[index] = made
      return made
    }
  }

  /// Removes an index that was dropped.
  func remove(_ index: Int64) { caches.withLock { $0[index] = nil } }

  /// Removes all indexes.
  func removeAll() { caches.withLock { $0 = [:] } }
}
