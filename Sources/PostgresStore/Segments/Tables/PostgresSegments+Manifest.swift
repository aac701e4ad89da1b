import PostgresAccess
import TextIndex

extension PostgresSegments: ManifestSource {
  package func manifests(changesAfter known: [Int32: Int64], columnCount: Int) throws -> ManifestReading {
    let shards = known.keys.sorted()
    let statements = [
      PostgresStatement(
        "SELECT shard, seq, flushed, totals, segments FROM cx_ft WHERE idx = $1 ORDER BY shard", [.int64(index)]),
      PostgresStatement(
        """
        SELECT r.shard, r.doc, r.seq, r.added, r.removed
        FROM cx_ft f LEFT JOIN unnest($2::int4[], $3::int8[]) AS k (shard, seq) ON k.shard = f.shard
        CROSS JOIN LATERAL (
          SELECT shard, doc, seq, added, removed FROM cx_recent
          WHERE idx = $1 AND shard = f.shard AND seq > coalesce(k.seq, 0) OFFSET 0) r
        WHERE f.idx = $1
        """, [.int64(index), .int32s(shards), .int64s(shards.map { known[$0] ?? 0 })]),
    ]
    let headers = PostgresStatement("SELECT shard, seg, header FROM cx_seg WHERE idx = $1", [.int64(index)])
    let results = try session.queryAll { node in
      session.nodes.isOnCitus
        ? manifestStatementsOnCitus(node, known) : known.isEmpty ? statements + [headers] : statements
    }
    let manifests = try (0..<results[0].count).map { row in
      try ShardManifest(results[0], row, shard: shard(results[0], row), from: 1, columnCount)
    }
    var reading = ManifestReading(manifests: manifests, changes: try documents(results[1], columnCount: columnCount))
    for result in results.dropFirst(2) {
      for row in 0..<result.count {
        let key = SegmentKey(shard: shard(result, row), segment: Int32(clamping: result.int64(row, 1)))
        reading.headers[key] = result.byteArray(row, 2)
      }
    }
    return reading
  }

  /// Returns the shard in column 0.
  func shard(_ result: PostgresResult, _ row: Int) -> Int32 { session.nodes.shard(ofValue: result.int64(row, 0)) }

  /// Reads recent changes.
  func documents(_ result: PostgresResult, columnCount: Int) throws -> [RecentDocument] {
    return try (0..<result.count).map { row in
      let shard = shard(result, row)
      let (number, overflows) = result.int64(row, 1).addingReportingOverflow(Int64(division.base(shard)))
      guard !overflows, let documentRow = UInt32(exactly: number) else { throw SegmentDamage.badNumber }
      return RecentDocument(
        row: documentRow, shard: shard, sequence: result.int64(row, 2),
        added: result.isNull(row, 3)
          ? nil : try ForwardDocument(result.bytes(row, 3).bindMemory(to: UInt8.self), columnCount: columnCount),
        removed: result.isNull(row, 4) ? nil : try TermSequence(result.bytes(row, 4).bindMemory(to: UInt8.self)))
    }
  }
}

extension ShardManifest {
  /// Reads the columns `seq`, `flushed`, `totals` and `segments` of a row of `cx_ft`.
  ///
  /// - Parameter column: the number of the first of them.
  init(_ result: PostgresResult, _ row: Int, shard: Int32, from column: Int, _ columnCount: Int) throws {
    self.init(shard: shard, columnCount: columnCount)
    sequence = result.int64(row, column)
    flushed = result.int64(row, column + 1)
    guard let totals = result.int64s(row, column + 2), totals.count == columnCount + 1 else {
      throw SegmentDamage.badNumber
    }
    self.totals.rowCount = totals[0]
    self.totals.tokenCounts = Array(totals.dropFirst())
    guard self.totals.isPossible else { throw SegmentDamage.badNumber }
    segments = try ShardManifest.segments(result.byteArray(row, column + 3))
  }
}

extension IndexTotals {
  /// The numbers in the column `totals` of `cx_ft`.
  var numbers: [Int64] { [rowCount] + tokenCounts }
}

extension PostgresResult {
  /// Returns an `int8[]` of one dimension without NULL; nil for another value (`array_recv` in PostgreSQL's sources).
  fileprivate func int64s(_ row: Int, _ column: Int) -> [Int64]? {
    let bytes = bytes(row, column)
    func int32(_ offset: Int) -> Int {
      Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    }
    guard bytes.count >= 20, int32(0) == 1, int32(4) == 0, int32(8) == 20, bytes.count == 20 + 12 * int32(12) else {
      return nil
    }
    return (0..<int32(12)).map {
      Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24 + 12 * $0, as: Int64.self))
    }
  }
}
