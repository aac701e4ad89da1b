import PostgresAccess
import TrigramIndex

/// Adds documents to a pattern index: many become a segment, a few become rows of `cx_tri_recent`.
final class PatternSegmentWriter: RemotePatternWriter {
  private let index: Int64
  private let session: FrontSession
  /// The trigrams of all documents, one after the other.
  private var trigrams: [UInt32] = []
  /// The range of each document in ``trigrams``, by its row.
  private var documents: [UInt32: Range<Int>] = [:]
  private var long: Set<UInt32> = []

  /// Buffered documents are written when they have more trigrams than this.
  private static let maximumCount = 8 << 20

  init(_ index: Int64, _ session: FrontSession) {
    self.index = index
    self.session = session
  }

  func insert(_ trigrams: [UInt32], isLong: Bool, rowID: Int64) throws {
    let row = UInt32(truncatingIfNeeded: rowID)
    let start = self.trigrams.count
    self.trigrams += trigrams
    documents[row] = start..<self.trigrams.count
    if isLong { long.insert(row) }
    if self.trigrams.count > PatternSegmentWriter.maximumCount { try flush() }
  }

  func discard() {
    trigrams = []
    documents = [:]
    long = []
  }

  func flush() throws {
    let byNode = Dictionary(grouping: documents.keys.sorted()) { session.node(ofRow: Int64($0)) }
    for (node, rows) in byNode.sorted(by: { $0.key < $1.key }) {
      let long = rows.filter { self.long.contains($0) }
      if !long.isEmpty {
        try session.enqueue(
          PostgresStatement(
            "INSERT INTO cx_tri_long (idx, doc) SELECT $1, unnest($2::int8[]) ON CONFLICT DO NOTHING",
            [.int64(index), .int64s(long.map { Int64($0) })]), on: node)
      }
      let added = rows.map { row in (row: row, trigrams: trigrams[documents[row] ?? 0..<0]) }
      if rows.count < PatternSegments.smallestSegment {
        try writeRecent(added, node)
      } else {
        try writeSegment(added, node)
      }
    }
    discard()
  }

  private func writeRecent(_ documents: [(row: UInt32, trigrams: ArraySlice<UInt32>)], _ node: Int) throws {
    for (row, trigrams) in documents {
      try session.enqueue(
        PostgresStatement(
          """
          INSERT INTO cx_tri_recent (idx, doc, trigrams) VALUES ($1, $2, $3)
          ON CONFLICT (idx, doc) DO UPDATE SET trigrams = excluded.trigrams
          """, [.int64(index), .int64(Int64(row)), .bytes(RowDeltas.encode(trigrams.sorted()))]), on: node)
    }
    // Counting the rows takes a round trip, so it is done only sometimes, after the commit.
    if Int64.random(in: 0..<PatternSegments.recentLimit) < 4 * documents.count {
      session.indexesToMerge[index] = .patterns(index)
    }
  }

  private func writeSegment(_ documents: [(row: UInt32, trigrams: ArraySlice<UInt32>)], _ node: Int) throws {
    // The segment also takes over the recent documents, so that newer versions of documents are in newer segments.
    let recent = try PatternSegments.takeRecent(index, session, node)
    let changed = Set(documents.map(\.row))
    let all = documents + recent.filter { !changed.contains($0.row) }
    let segment = try session.nextNumber(of: "cx_tri_segment", step: 1)
    try session.copy(
      into: PatternSegments.target,
      PatternSegments.rows(all.sorted { $0.row < $1.row }, index: index, segment: segment), on: node)
    session.indexesToMerge[index] = .patterns(index)
  }
}

extension PatternSegments {
  /// Deletes the recent documents of a node and returns them.
  static func takeRecent(
    _ index: Int64, _ session: any PostgresSession, _ node: Int
  ) throws -> [(row: UInt32, trigrams: ArraySlice<UInt32>)] {
    let result = try session.query(
      "DELETE FROM cx_tri_recent WHERE idx = $1 RETURNING doc, trigrams", [.int64(index)], on: node)
    return (0..<result.count).map { row in
      (UInt32(truncatingIfNeeded: result.int64(row, 0)), RowDeltas.decode(result.bytes(row, 1))[...])
    }
  }
}
