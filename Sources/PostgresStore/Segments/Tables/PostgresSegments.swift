import PostgresAccess

/// Reads the rows of the segments of an index in the transaction of a session.
package final class PostgresSegments: SegmentStorage {
  let session: any PostgresSession
  /// The ID of the index.
  let index: Int64
  let division: RowDivision

  /// - Parameters:
  ///   - index: the ID of the index.
  ///   - session: the session.
  convenience init(index: Int64, _ session: any PostgresSession) {
    self.init(index: index, session, RowDivision(session.shards))
  }

  init(index: Int64, _ session: any PostgresSession, _ division: RowDivision) {
    self.index = index
    self.session = session
    self.division = division
  }

  package func headers(_ segments: [SegmentKey]) throws -> [[UInt8]] {
    guard !session.nodes.isOnCitus else { return try headersOnCitus(segments) }
    let statement = PostgresStatement(
      """
      SELECT k.n, s.header FROM unnest($2::int4[], $3::int4[]) WITH ORDINALITY AS k (shard, seg, n)
      JOIN cx_seg s ON s.idx = $1 AND s.shard = k.shard AND s.seg = k.seg
      """, [.int64(index), .int32s(segments.map(\.shard)), .int32s(segments.map(\.segment))])
    let result = try session.queryAll { _ in statement }
    return try result.byteArrays(segments.count, missing: { MissingSegmentRow(segments[$0]) })
  }

  package func pages(
    _ ranges: [TermRange], limit: Int, withPayloads keys: [PayloadKey]
  ) throws -> (pages: [[StoredPage]], payloads: [[UInt8]]) {
    let statement = PostgresStatement(
      """
      SELECT k.n, d.term, d.payload
      FROM unnest($2::int4[], $3::int4[], $4::bytea[], $5::bytea[]) WITH ORDINALITY AS k (shard, seg, lower, upper, n)
      CROSS JOIN LATERAL (
        SELECT term, payload FROM cx_dict
        WHERE idx = $1 AND shard = k.shard AND seg = k.seg AND term < k.upper AND term >= coalesce(
          (SELECT term FROM cx_dict WHERE idx = $1 AND shard = k.shard AND seg = k.seg AND term <= k.lower
           ORDER BY term DESC LIMIT 1), '')
        ORDER BY term LIMIT $6) d
      """,
      [
        .int64(index), .int32s(ranges.map(\.segment.shard)), .int32s(ranges.map(\.segment.segment)),
        .byteArrays(ranges.map(\.lower)), .byteArrays(ranges.map(\.upper)), .int64(Int64(limit)),
      ])
    let reading = PayloadReading(keys, index: index, session)
    let results = try session.queryAll { node in
      [session.nodes.isOnCitus ? pagesOnCitus(ranges, limit: limit, node) : statement] + reading.statements(node: node)
    }
    var pages: [[StoredPage]] = Array(repeating: [], count: ranges.count)
    for result in results.prefix(1) {
      for row in 0..<result.count {
        let range = Int(result.int64(row, 0)) - 1
        guard pages.indices.contains(range) else { continue }
        pages[range].append(StoredPage(firstTerm: result.byteArray(row, 1), bytes: result.byteArray(row, 2)))
      }
    }
    try requireSegments(zip(ranges, pages).filter { $0.1.isEmpty }.map { $0.0.segment })
    return (pages, try reading.payloads(results.dropFirst()))
  }

  package func firstTerms(_ segments: [SegmentKey]) throws -> [[[UInt8]]] {
    let byNode = Dictionary(grouping: segments) { session.node(ofShard: $0.shard) }.sorted { $0.key < $1.key }
    let results = try session.query(
      byNode.map { node, segments in
        NodeStatements(
          node,
          segments.map { segment in
            PostgresStatement(
              "SELECT term FROM cx_dict WHERE idx = $1 AND shard = $2 AND seg = $3 ORDER BY term",
              location(segment.shard) + [.int32(segment.segment)])
          })
      })
    var terms: [SegmentKey: [[UInt8]]] = [:]
    for ((_, segments), results) in zip(byNode, results) {
      for (segment, result) in zip(segments, results) {
        terms[segment] = (0..<result.count).map { result.byteArray($0, 0) }
      }
    }
    try requireSegments(segments.filter { terms[$0]?.isEmpty ?? true })
    return segments.map { terms[$0] ?? [] }
  }

  /// Throws ``MissingSegmentRow`` if one of the segments, of which no page was found, no longer exists. On Citus, a
  /// merge may have deleted its rows after the manifest was read; elsewhere a transaction sees one state.
  private func requireSegments(_ segments: [SegmentKey]) throws {
    guard session.nodes.isOnCitus, !segments.isEmpty else { return }
    _ = try headersOnCitus(Array(Set(segments)))
  }

  package func payloads(_ keys: [PayloadKey]) throws -> [[UInt8]] {
    let reading = PayloadReading(keys, index: index, session)
    return try reading.payloads(
      session.queryAll { reading.isNeeded(node: $0) ? reading.statements(node: $0) : [] }[...])
  }
}

/// Reads payloads in a round trip.
private struct PayloadReading {
  private let keys: [PayloadKey]
  private let index: Int64
  private let tables: [PayloadTable]
  private let byNode: [Int: [PayloadKey]]
  private let nodes: NodeLayout

  init(_ keys: [PayloadKey], index: Int64, _ session: any PostgresSession) {
    self.keys = keys
    self.index = index
    nodes = session.nodes
    tables = PayloadTable.allCases.filter { table in keys.contains { $0.table == table } }
    byNode = Dictionary(grouping: keys) { session.node(ofShard: $0.segment.shard) }
  }

  /// Whether a node has some of the payloads.
  func isNeeded(node: Int) -> Bool { byNode[node] != nil }

  /// Returns a statement for each table.
  func statements(node: Int) -> [PostgresStatement] {
    tables.map { PayloadRanges($0, byNode[node] ?? []).statement(index: index, nodes.filter(node)) }
  }

  /// Returns the payloads from the results of the statements of all nodes.
  func payloads(_ results: ArraySlice<PostgresResult>) throws -> [[UInt8]] {
    var payloads: [PayloadKey: [UInt8]] = [:]
    payloads.reserveCapacity(keys.count)
    for (table, result) in zip(tables, results) {
      for row in 0..<result.count {
        let segment = SegmentKey(
          shard: nodes.shard(ofValue: result.int64(row, 0)), segment: Int32(clamping: result.int64(row, 1)))
        payloads[PayloadKey(segment, table, Int32(clamping: result.int64(row, 2)))] = result.byteArray(row, 3)
      }
    }
    return try keys.map { key in
      guard let payload = payloads[key] else { throw MissingSegmentRow(key.segment) }
      return payload
    }
  }
}

/// Numbers of payloads of a table, as ranges of successive ones.
struct PayloadRanges {
  let table: PayloadTable
  private var shards: [Int32] = []
  private(set) var segments: [Int32] = []
  private(set) var first: [Int32] = []
  private(set) var last: [Int32] = []

  init(_ table: PayloadTable, _ keys: [PayloadKey]) {
    self.table = table
    let wanted = Set(keys.filter { $0.table == table }).sorted {
      ($0.segment.shard, $0.segment.segment, $0.number) < ($1.segment.shard, $1.segment.segment, $1.number)
    }
    for key in wanted {
      if let end = last.indices.last, last[end] &+ 1 == key.number, shards[end] == key.segment.shard,
        segments[end] == key.segment.segment
      {
        last[end] = key.number
        continue
      }
      shards.append(key.segment.shard)
      segments.append(key.segment.segment)
      first.append(key.number)
      last.append(key.number)
    }
  }

  func statement(index: Int64, _ shard: ShardFilter) -> PostgresStatement {
    guard shard.value == nil else { return statementOnCitus(index: index, shard) }
    return PostgresStatement(
      """
      SELECT p.shard, p.seg, p.bno, p.payload
      FROM unnest($2::int4[], $3::int4[], $4::int4[], $5::int4[]) AS k (shard, seg, first, last)
      CROSS JOIN LATERAL (
        SELECT shard, seg, bno, payload FROM \(table.name)
        WHERE idx = $1 AND shard = k.shard AND seg = k.seg AND bno BETWEEN k.first AND k.last OFFSET 0) p
      """, [.int64(index), .int32s(shards), .int32s(segments), .int32s(first), .int32s(last)])
  }
}

extension PostgresResult {
  /// Returns the values of column 1, each at the position in column 0, which counts from 1.
  ///
  /// - Parameter error: returns the error for a missing position.
  fileprivate func byteArrays(_ expected: Int, missing error: (Int) -> any Error) throws -> [[UInt8]] {
    var arrays: [[UInt8]?] = Array(repeating: nil, count: expected)
    for row in 0..<count {
      let position = Int(int64(row, 0)) - 1
      if arrays.indices.contains(position) { arrays[position] = byteArray(row, 1) }
    }
    return try arrays.enumerated().map { position, array in
      guard let array else { throw error(position) }
      return array
    }
  }
}
