import PostgresAccess
import TextIndex
import TrigramIndex

/// Adds documents to a pattern index: many become a segment, a few become rows of `cx_tri_recent`.
final class PatternSegmentWriter: RemotePatternWriter {
  private let index: Int64
  private let session: ConnectionSession
  /// The added documents by node.
  private var builders: [Int: PatternSegmentBuilder] = [:]
  private var long: [Int: Set<UInt32>] = [:]
  /// The recent documents of nodes, which the segments of this transaction take over.
  private var taken: [Int: [(row: UInt32, document: DocumentTrigrams)]] = [:]

  /// The size in bytes of the added documents after which they are written.
  private static let memory = 128 << 20

  init(_ index: Int64, _ session: ConnectionSession) {
    self.index = index
    self.session = session
  }

  func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    let node = session.node(ofRow: rowID)
    let row = UInt32(truncatingIfNeeded: rowID)
    let builder = builders[node] ?? PatternSegmentBuilder()
    builders[node] = builder
    builder.add(document, row: row)
    if document.isLong { long[node, default: []].insert(row) }
    // Before more documents are sent, which the server would have to store before it answers.
    if builder.hasRuns, taken[node] == nil { taken[node] = try PatternSegments.takeRecent(index, session, node) }
    if builders.reduce(0, { $0 + $1.value.size }) > PatternSegmentWriter.memory { try flush() }
  }

  func discard() {
    builders = [:]
    long = [:]
    taken = [:]
  }

  func flush() throws {
    for (node, rows) in long.sorted(by: { $0.key < $1.key }) {
      let shard = session.filter(node)
      try session.enqueue(
        PostgresStatement(
          "INSERT INTO cx_tri_long (idx, doc\(shard.column)) SELECT $1, unnest($2::int8[])\(shard.inserted(3)) "
            + "ON CONFLICT DO NOTHING", [.int64(index), .int64s(rows.sorted().map { Int64($0) })] + shard.parameters),
        on: node)
    }
    for (node, builder) in builders.sorted(by: { $0.key < $1.key }) {
      if let few = builder.few { try writeRecent(few, node) } else { try writeSegment(builder, node) }
    }
    discard()
  }

  private func writeRecent(_ documents: [UInt32: DocumentTrigrams], _ node: Int) throws {
    let shard = session.filter(node)
    let added = documents.sorted { $0.key < $1.key }
    try session.enqueue(
      PostgresStatement(
        """
        INSERT INTO cx_tri_recent (idx, doc, trigrams\(shard.column))
        SELECT $1, n.doc, n.trigrams\(shard.inserted(4)) FROM unnest($2::int8[], $3::bytea[]) AS n (doc, trigrams)
        ON CONFLICT (idx, doc\(shard.column)) DO UPDATE SET trigrams = excluded.trigrams
        """,
        [
          .int64(index), .int64s(added.map { Int64($0.key) }),
          .byteArrays(added.map { RowDeltas.encode($0.value.trigrams.sorted()) }),
        ] + shard.parameters), on: node)
    // Counting the rows takes a round trip, so it is done only sometimes, after the commit.
    if Int64.random(in: 0..<PatternSegments.recentLimit) < 4 * documents.count {
      session.indexesToMerge[index] = .patterns(index)
    }
  }

  private func writeSegment(_ builder: PatternSegmentBuilder, _ node: Int) throws {
    // The segment also takes over the recent documents, so that newer versions of documents are in newer segments.
    let changed = builder.rows()
    let taken = try taken[node] ?? PatternSegments.takeRecent(index, session, node)
    for recent in taken where !changed.containsSorted(recent.row) {
      builder.add(recent.document, row: recent.row)
    }
    let segment = try session.nextNumber(of: "cx_tri_segment", step: 1)
    try PatternSegments.write(builder, index: index, segment: segment, session, node)
    session.indexesToMerge[index] = .patterns(index)
  }
}

extension PatternSegments {
  /// Deletes the recent documents of a node and returns them.
  static func takeRecent(
    _ index: Int64, _ session: any PostgresSession, _ node: Int
  ) throws -> [(row: UInt32, document: DocumentTrigrams)] {
    let shard = session.filter(node)
    let result = try session.query(
      "DELETE FROM cx_tri_recent WHERE idx = $1\(shard.condition(2)) RETURNING doc, trigrams",
      [.int64(index)] + shard.parameters, on: node)
    return try session.reportingDamage(ofPatterns: index) {
      try (0..<result.count).map { row in
        (UInt32(truncatingIfNeeded: result.int64(row, 0)), DocumentTrigrams(try RowDeltas.decode(result.bytes(row, 1))))
      }
    }
  }

  /// The size in bytes of the rows of a segment that are copied together.
  private static let partSize = 2 << 20

  /// Writes a segment.
  static func write(
    _ builder: PatternSegmentBuilder, index: Int64, segment: Int64, _ session: any PostgresSession, _ node: Int
  ) throws {
    let shard = session.filter(node)
    let target = target(shard)
    var rows = PatternRows(index: index, segment: segment, shard)
    rows.append(documents: builder.rows())
    try builder.forEachList { trigram, list in
      if rows.isFull(partSize, before: trigram) { try session.copy(into: target, rows.take(), on: node) }
      rows.append(list, trigram)
    }
    try session.copy(into: target, rows.take(), on: node)
  }
}
