import PostgresAccess
import TextIndex

extension PostgresSegments {
  /// The statements that read the state of a shard: its manifest, its recent changes, and, if nothing is known, the
  /// headers of its segments.
  func manifestStatementsOnCitus(_ node: Int, _ known: [Int32: Int64]) -> [PostgresStatement] {
    let location = [.int64(index)] + session.filter(node).parameters
    let shard = Int32(clamping: node - 1)
    let state = [
      PostgresStatement(
        "SELECT shard, seq, flushed, totals, segments FROM cx_ft WHERE idx = $1 AND shard = $2", location),
      PostgresStatement(
        "SELECT shard, doc, seq, added, removed FROM cx_recent WHERE idx = $1 AND shard = $2 AND seq > $3",
        location + [.int64(known[shard] ?? 0)]),
    ]
    guard known.isEmpty else { return state }
    return state + [PostgresStatement("SELECT shard, seg, header FROM cx_seg WHERE idx = $1 AND shard = $2", location)]
  }

  func headersOnCitus(_ segments: [SegmentKey]) throws -> [[UInt8]] {
    let shards = Dictionary(grouping: segments, by: \.shard).sorted { $0.key < $1.key }
    let results = try session.query(
      shards.map { shard, segments in
        NodeStatements(
          session.node(ofShard: shard),
          [
            PostgresStatement(
              "SELECT shard, seg, header FROM cx_seg WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)",
              location(shard) + [.int32s(segments.map(\.segment))])
          ])
      })
    var headers: [SegmentKey: [UInt8]] = [:]
    for result in results.joined() {
      for row in 0..<result.count {
        let key = SegmentKey(shard: shard(result, row), segment: Int32(clamping: result.int64(row, 1)))
        headers[key] = result.byteArray(row, 2)
      }
    }
    return try segments.map { segment in
      guard let header = headers[segment] else { throw MissingSegmentRow(segment) }
      return header
    }
  }

  /// Returns the statement that reads the pages of a node. Without `LATERAL`, each range selects its first page by the
  /// greatest first term that is not above its beginning, and ends at a page that the limit excludes, so that the
  /// server does not read and sort the rest of the dictionary.
  func pagesOnCitus(_ ranges: [TermRange], limit: Int, _ node: Int) -> PostgresStatement {
    let own = ranges.enumerated().filter { session.node(ofShard: $0.element.segment.shard) == node }
    return PostgresStatement(
      """
      SELECT n, term, payload FROM (
        SELECT k.n, d.term, d.payload, row_number() OVER (PARTITION BY k.n ORDER BY d.term) AS number
        FROM unnest($3::int8[], $4::int4[], $5::bytea[], $6::bytea[]) AS k (n, seg, lower, upper)
        JOIN cx_dict d ON d.idx = $1 AND d.shard = $2 AND d.seg = k.seg AND d.term < k.upper AND d.term >= coalesce(
          (SELECT p.term FROM cx_dict p WHERE p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.term <= k.lower
           ORDER BY p.term DESC LIMIT 1), '') AND d.term < coalesce(
          (SELECT p.term FROM cx_dict p WHERE p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.term > k.lower
           ORDER BY p.term LIMIT 1 OFFSET $7), k.upper)
      ) pages WHERE number <= $7 ORDER BY n, term
      """,
      [.int64(index)] + session.filter(node).parameters + [
        .int64s(own.map { Int64($0.offset + 1) }), .int32s(own.map(\.element.segment.segment)),
        .byteArrays(own.map(\.element.lower)), .byteArrays(own.map(\.element.upper)), .int64(Int64(limit)),
      ])
  }

  /// Records recent changes with numbers and totals that the client computes.
  func recordOnCitus(_ changes: [RecentChange], _ totals: IndexTotals, shard: Int32) throws {
    var manifest = try manifest(shard: shard, columnCount: totals.tokenCounts.count)
    let node = session.node(ofShard: shard)
    manifest.totals.add(totals)
    try session.enqueue(
      PostgresStatement(
        "UPDATE cx_ft SET seq = $3, totals = $4 WHERE idx = $1 AND shard = $2",
        location(shard) + [.int64(manifest.sequence + Int64(changes.count)), .int64s(manifest.totals.numbers)]),
      on: node)
    let numbers = changes.indices.map { manifest.sequence + Int64($0) + 1 }
    try session.enqueue(
      PostgresStatement(
        """
        INSERT INTO cx_recent (idx, shard, doc, seq, added, removed)
        SELECT $1, $2, c.doc, c.seq, nullif(c.added, ''), CASE WHEN c.replaces = 1 THEN c.removed END
        FROM unnest($3::int8[], $4::int8[], $5::bytea[], $6::bytea[], $7::int4[])
          AS c (doc, seq, added, removed, replaces)
        ON CONFLICT (idx, shard, doc) DO UPDATE SET seq = excluded.seq, added = excluded.added
        """,
        location(shard) + [.int64s(changes.map { Int64($0.number) }), .int64s(numbers)]
          + RecentChange.parameters(changes)), on: node)
  }

  /// Returns the statement that replaces the segments of a manifest. Its current totals are read first.
  func replacementOnCitus(
    _ replacement: ShardManifest, adding totals: IndexTotals, isFlushed: Bool
  ) throws -> PostgresStatement {
    var current = try manifest(shard: replacement.shard, columnCount: totals.tokenCounts.count)
    current.totals.add(totals)
    let sequence = current.sequence + 1
    return PostgresStatement(
      "UPDATE cx_ft SET seq = $3, flushed = $4, segments = $5, totals = $6 WHERE idx = $1 AND shard = $2",
      location(replacement.shard) + [
        .int64(sequence), .int64(isFlushed ? sequence : current.flushed), .bytes(replacement.segmentBytes),
        .int64s(current.totals.numbers),
      ])
  }
}

extension PayloadRanges {
  /// The statement without `LATERAL`.
  func statementOnCitus(index: Int64, _ shard: ShardFilter) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT p.shard, p.seg, p.bno, p.payload FROM unnest($3::int4[], $4::int4[], $5::int4[]) AS k (seg, first, last)
      JOIN \(table.name) p ON p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.bno BETWEEN k.first AND k.last
      """, [.int64(index)] + shard.parameters + [.int32s(segments), .int32s(first), .int32s(last)])
  }
}
