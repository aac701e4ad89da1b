import PostgresAccess
import TrigramIndex

extension ConnectionFront: RemotePatternIndexes {
  func createPatternIndex(_ id: Int64) throws {}

  func dropPatternIndex(_ id: Int64) throws {
    for table in ["cx_tri", "cx_tri_recent", "cx_tri_long"] {
      try session.enqueueAll(PostgresStatement("DELETE FROM \(table) WHERE idx = $1", [.int64(id)]))
    }
  }

  func patternWriter(_ id: Int64) throws -> any RemotePatternWriter { PatternSegmentWriter(id, session) }

  func patternLists(_ id: Int64, of trigrams: Set<UInt32>) throws -> RemotePatternLists {
    let results = try session.queryAll([
      PostgresStatement(
        "SELECT tri, payload FROM cx_tri WHERE idx = $1 AND tri = ANY($2)",
        [.int64(id), .int32s(trigrams.map { Int32(bitPattern: $0) })]),
      PostgresStatement("SELECT doc FROM cx_tri_recent WHERE idx = $1 ORDER BY doc", [.int64(id)]),
      PostgresStatement("SELECT doc FROM cx_tri_long WHERE idx = $1 ORDER BY doc", [.int64(id)]),
    ])
    var lists = RemotePatternLists()
    for row in 0..<results[0].count {
      let rows = RowDeltas.decode(results[0].bytes(row, 1))
      lists.lists[UInt32(truncatingIfNeeded: results[0].int64(row, 0)), default: []] += rows
    }
    // A document that was saved again is in several segments.
    lists.lists = lists.lists.mapValues { Set($0).sorted() }
    lists.unlisted = (0..<results[1].count).map { UInt32(truncatingIfNeeded: results[1].int64($0, 0)) }
    lists.long = (0..<results[2].count).map { UInt32(truncatingIfNeeded: results[2].int64($0, 0)) }
    return lists
  }

  func patternIndexSize(_ id: Int64) throws -> Int {
    let sizes = try session.queryAll(
      """
      SELECT coalesce((SELECT sum(length(payload) + 16) FROM cx_tri WHERE idx = $1), 0)::int8
        + coalesce((SELECT sum(length(trigrams) + 16) FROM cx_tri_recent WHERE idx = $1), 0)::int8
      """, [.int64(id)])
    return (0..<sizes.count).reduce(0) { $0 + Int(sizes.int64($1, 0)) }
  }
}

/// Writes pattern indexes: a batch of documents becomes a segment, with a row for each of its trigrams. Documents that are
/// saved one by one are rows of `cx_tri_recent`, which every search examines, until the next segment contains them.
private final class PatternSegmentWriter: RemotePatternWriter {
  private let index: Int64
  private let session: FrontSession
  private var documents: [UInt32: Set<UInt32>] = [:]
  private var long: Set<UInt32> = []
  private var size = 0

  /// The number of documents from which a batch is a segment of its own.
  private static let smallestSegment = 100
  /// The number of trigrams of all buffered documents at which they are written.
  private static let maximumSize = 16 << 20

  init(_ index: Int64, _ session: FrontSession) {
    self.index = index
    self.session = session
  }

  func insert(_ trigrams: Set<UInt32>, isLong: Bool, rowID: Int64) throws {
    let row = UInt32(truncatingIfNeeded: rowID)
    documents[row] = trigrams
    if isLong { long.insert(row) }
    size += trigrams.count
    if size > PatternSegmentWriter.maximumSize { try flush() }
  }

  func discard() {
    documents = [:]
    long = []
    size = 0
  }

  func flush() throws {
    for node in session.nodes.all {
      let documents = documents.filter { session.node(ofRow: Int64($0.key)) == node }
      guard !documents.isEmpty else { continue }
      let long = long.filter { session.node(ofRow: Int64($0)) == node }
      if !long.isEmpty {
        try session.enqueue(
          PostgresStatement(
            "INSERT INTO cx_tri_long (idx, doc) SELECT $1, unnest($2::int8[]) ON CONFLICT DO NOTHING",
            [.int64(index), .int64s(long.sorted().map { Int64($0) })]), on: node)
      }
      if documents.count < PatternSegmentWriter.smallestSegment {
        try writeRecent(documents, node)
      } else {
        try writeSegment(documents, node)
      }
    }
    discard()
  }

  private func writeRecent(_ documents: [UInt32: Set<UInt32>], _ node: Int) throws {
    for (row, trigrams) in documents.sorted(by: { $0.key < $1.key }) {
      try session.enqueue(
        PostgresStatement(
          """
          INSERT INTO cx_tri_recent (idx, doc, trigrams) VALUES ($1, $2, $3)
          ON CONFLICT (idx, doc) DO UPDATE SET trigrams = excluded.trigrams
          """, [.int64(index), .int64(Int64(row)), .bytes(RowDeltas.encode(trigrams.sorted()))]), on: node)
    }
  }

  private func writeSegment(_ changed: [UInt32: Set<UInt32>], _ node: Int) throws {
    var documents = changed
    let recent = try session.query(
      "DELETE FROM cx_tri_recent WHERE idx = $1 RETURNING doc, trigrams", [.int64(index)], on: node)
    for row in 0..<recent.count {
      let document = UInt32(truncatingIfNeeded: recent.int64(row, 0))
      if documents[document] == nil { documents[document] = Set(RowDeltas.decode(recent.bytes(row, 1))) }
    }
    var lists: [UInt32: [UInt32]] = [:]
    for (row, trigrams) in documents.sorted(by: { $0.key < $1.key }) {
      for trigram in trigrams { lists[trigram, default: []].append(row) }
    }
    let segment = try session.nextNumber(of: "cx_tri_segment", step: 1)
    var rows = PostgresCopyRows()
    for (trigram, documents) in lists {
      rows.append([
        .int64(index), .int32(Int32(bitPattern: trigram)), .int64(segment), .bytes(RowDeltas.encode(documents)),
      ])
    }
    try session.copy(into: "cx_tri (idx, tri, seg, payload)", rows, on: node)
  }
}

/// Ascending numbers as bytes: the differences, in groups of 7 bits, the last of which has the high bit clear.
enum RowDeltas {
  static func encode(_ numbers: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count + 8)
    var last: UInt32 = 0
    for number in numbers {
      var rest = number &- last
      last = number
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }
    return bytes
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
    var numbers: [UInt32] = []
    var (last, rest, shift): (UInt32, UInt32, UInt32) = (0, 0, 0)
    for byte in bytes {
      // A number has at most 32 bits; more can only be in damaged bytes.
      if shift < 32 { rest |= UInt32(byte & 0x7F) << shift }
      shift += 7
      guard byte < 0x80 else { continue }
      last = last &+ rest
      numbers.append(last)
      (rest, shift) = (0, 0)
    }
    return numbers
  }
}
