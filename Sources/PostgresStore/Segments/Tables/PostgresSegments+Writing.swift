import PostgresAccess
package import TextIndex

extension PostgresSegments: SegmentTarget {
  package func manifest(shard: Int32, columnCount: Int) throws -> ShardManifest {
    guard let manifest = try manifest(shard: shard, columnCount: columnCount, isLocked: true) else {
      throw SegmentDamage("the state of shard \(shard) is missing")
    }
    return manifest
  }

  /// Returns the manifest of a shard; nil if the index does not exist.
  ///
  /// - Parameter isLocked: whether other transactions cannot change it until this one ends.
  func manifest(shard: Int32, columnCount: Int, isLocked: Bool) throws -> ShardManifest? {
    let result = try session.query(
      "SELECT seq, flushed, totals, segments FROM cx_ft WHERE idx = $1 AND shard = $2\(isLocked ? " FOR UPDATE" : "")",
      location(shard), on: session.node(ofShard: shard))
    return try result.count == 1 ? ShardManifest(result, 0, shard: shard, from: 0, columnCount) : nil
  }

  package func recentDocuments(shard: Int32, columnCount: Int) throws -> [RecentDocument] {
    let result = try session.query(
      "SELECT shard, doc, seq, added, removed FROM cx_recent WHERE idx = $1 AND shard = $2 ORDER BY doc",
      location(shard), on: session.node(ofShard: shard))
    return try documents(result, columnCount: columnCount)
  }

  /// The parameters that select the rows of a shard.
  func location(_ shard: Int32) -> [PostgresValue] { [.int64(index), .int32(session.nodes.value(ofShard: shard))] }

  package func record(_ changes: [RecentChange], _ totals: IndexTotals, shard: Int32) throws {
    guard !session.nodes.isOnCitus else { return try recordOnCitus(changes, totals, shard: shard) }
    try session.enqueue(
      PostgresStatement(
        """
        WITH ft AS (
          UPDATE cx_ft SET seq = seq + cardinality($3::int8[]), totals = (
            SELECT array_agg(a + b ORDER BY i) FROM unnest(totals, $7::int8[]) WITH ORDINALITY AS t (a, b, i))
          WHERE idx = $1 AND shard = $2 RETURNING seq)
        INSERT INTO cx_recent (idx, shard, doc, seq, added, removed)
        SELECT $1, $2, c.doc, ft.seq - cardinality($3) + c.n, nullif(c.added, ''),
          CASE WHEN c.replaces = 1 THEN c.removed END
        FROM ft, unnest($3, $4::bytea[], $5::bytea[], $6::int4[]) WITH ORDINALITY
          AS c (doc, added, removed, replaces, n)
        ON CONFLICT (idx, shard, doc) DO UPDATE SET seq = excluded.seq, added = excluded.added
        """,
        [.int64(index), .int32(shard), .int64s(changes.map { Int64($0.number) })]
          + RecentChange.parameters(changes) + [.int64s(totals.numbers)]), on: session.node(ofShard: shard))
  }

  package func makeSegment(shard: Int32) throws -> any SegmentOutput {
    let result = try session.query(
      "UPDATE cx_ft SET next_seg = next_seg + 1 WHERE idx = $1 AND shard = $2 RETURNING next_seg - 1", location(shard),
      on: session.node(ofShard: shard))
    guard result.count == 1 else { throw SegmentDamage("the state of shard \(shard) is missing") }
    let segment = Int32(clamping: result.int64(0, 0))
    try session.enqueue(
      PostgresStatement(
        "INSERT INTO cx_retired (idx, shard, seg) VALUES ($1, $2, $3)", location(shard) + [.int32(segment)]),
      on: session.node(ofShard: shard))
    return SegmentCopy(SegmentKey(shard: shard, segment: segment), location: location(shard)) {
      [session] in try session.copy(into: $0, $1, on: session.node(ofShard: shard))
    }
  }

  package func keepSegment(_ segment: Int32, shard: Int32) throws -> Bool {
    try session.query(
      "DELETE FROM cx_retired WHERE idx = $1 AND shard = $2 AND seg = $3", location(shard) + [.int32(segment)],
      on: session.node(ofShard: shard)
    ).affectedCount == 1
  }

  package func replace(
    _ segments: [ShardManifest.Entry], adding totals: IndexTotals, isFlushed: Bool, retired: [Int32], shard: Int32
  ) throws {
    var manifest = ShardManifest(shard: shard, columnCount: totals.tokenCounts.count)
    manifest.segments = segments
    let node = session.node(ofShard: shard)
    let location = location(shard)
    try session.enqueue(
      session.nodes.isOnCitus
        ? replacementOnCitus(manifest, adding: totals, isFlushed: isFlushed)
        : PostgresStatement(
          """
          UPDATE cx_ft SET seq = seq + 1, flushed = CASE WHEN $5 THEN seq + 1 ELSE flushed END, segments = $3, totals = (
            SELECT array_agg(a + b ORDER BY i) FROM unnest(totals, $4::int8[]) WITH ORDINALITY AS t (a, b, i))
          WHERE idx = $1 AND shard = $2
          """, location + [.bytes(manifest.segmentBytes), .int64s(totals.numbers), .bool(isFlushed)]),
      on: node)
    if isFlushed {
      try session.enqueue(PostgresStatement("DELETE FROM cx_recent WHERE idx = $1 AND shard = $2", location), on: node)
    }
    try session.enqueue(
      PostgresStatement(
        "DELETE FROM cx_retired WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)",
        location + [.int32s(segments.map(\.number))]), on: node)
    guard !retired.isEmpty else { return }
    try session.enqueue(
      PostgresStatement(
        "INSERT INTO cx_retired (idx, shard, seg) SELECT $1, $2, unnest($3::int4[])", location + [.int32s(retired)]),
      on: node)
  }
}

extension RecentChange {
  /// The parameters for the columns `added` and `removed` of changes, and whether each change has an earlier version: a
  /// version without terms has no bytes. A document always has bytes, those of its lengths.
  static func parameters(_ changes: [RecentChange]) -> [PostgresValue] {
    [
      .byteArrays(changes.map { $0.added?.bytes ?? [] }), .byteArrays(changes.map { $0.removed?.storedBytes ?? [] }),
      .int32s(changes.map { $0.removed == nil ? 0 : 1 }),
    ]
  }
}

/// Copies the rows of a new segment into its tables.
final class SegmentCopy: SegmentOutput {
  let key: SegmentKey
  private(set) var size = 0
  private let location: [PostgresValue]
  private let copy: (_ target: String, _ rows: PostgresCopyRows) throws -> Void
  private var pages = PostgresCopyRows()
  private var payloads: [PayloadTable: PostgresCopyRows] = [:]

  /// The size in bytes of rows that are copied at once.
  private static let partSize = 4 << 20

  /// - Parameters:
  ///   - location: the index, and the value of the column `shard`.
  ///   - copy: copies rows into a table.
  init(_ key: SegmentKey, location: [PostgresValue], _ copy: @escaping (String, PostgresCopyRows) throws -> Void) {
    self.key = key
    self.location = location
    self.copy = copy
  }

  private var prefix: [PostgresValue] { location + [.int32(key.segment)] }

  func append(page: [UInt8], firstTerm: [UInt8]) throws {
    pages.append(prefix + [.bytes(firstTerm), .bytes(page)])
    size += page.count + firstTerm.count
    if pages.size >= SegmentCopy.partSize { try copyPages() }
  }

  func append(_ payload: [UInt8], _ table: PayloadTable, _ number: Int32) throws {
    payloads[table, default: PostgresCopyRows()].append(prefix + [.int32(number), .bytes(payload)])
    size += payload.count
    if payloads[table]?.size ?? 0 >= SegmentCopy.partSize { try copyPayloads(table) }
  }

  func finish(_ header: SegmentHeader) throws {
    try copyPages()
    for table in PayloadTable.allCases { try copyPayloads(table) }
    var rows = PostgresCopyRows()
    rows.append(prefix + [.bytes(header.bytes)])
    try copy("cx_seg (idx, shard, seg, header)", rows)
  }

  private func copyPages() throws {
    try copy("cx_dict (idx, shard, seg, term, payload)", pages)
    pages = PostgresCopyRows()
  }

  private func copyPayloads(_ table: PayloadTable) throws {
    guard let rows = payloads.removeValue(forKey: table) else { return }
    try copy("\(table.name) (idx, shard, seg, bno, payload)", rows)
  }
}
