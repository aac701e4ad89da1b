import PostgresAccess
import TextIndex

/// Merges the segments of pattern indexes, and turns recent documents into segments.
///
/// A merge replaces the lists of a few trigrams in each of its transactions, so writers wait for short times only. Readers
/// see each list either before or after. The merged segment has the number of the newest one, so if the process ends
/// in between, every list is still in the order of the segments, and a later merge continues.
struct PatternMaintenance {
  /// The ID of the index.
  let index: Int64
  let transactions: any MaintenanceTransactions

  /// Mixed with the ID of the index: "patterns" in ASCII.
  private static let lockNumber: Int64 = 0x7061_7474_6572_6E73
  /// The size in bytes of the lists that a transaction replaces.
  private static let partSize: Int64 = 4 << 20

  /// Writes recent documents to segments, and merges segments until none need to be merged.
  ///
  /// - Parameter all: whether all segments are merged into one, instead of only those that have become too many.
  /// - Returns: the number of segments that were written; nil if another process is working on the index.
  func run(mergingAll all: Bool) throws -> Int? {
    try transactions.lock(PatternMaintenance.lockNumber ^ index) {
      var written = 0
      for node in try transactions.read({ $0.nodes.all }) {
        written += try flush(node, all: all) ? 1 : 0
        while let segments = try segmentsToMerge(node, all: all) {
          // If the index was dropped in the meantime, nothing remains to merge.
          guard try merge(segments, node) else { break }
          written += 1
        }
      }
      return written
    }
  }

  private func flush(_ node: Int, all: Bool) throws -> Bool {
    let count = try transactions.read { session in
      try session.query("SELECT count(*) FROM cx_tri_recent WHERE idx = $1", [.int64(index)], on: node).int64(0, 0)
    }
    guard count >= (all ? 1 : PatternSegments.recentLimit) else { return false }
    return try transactions.write { session in
      let documents = try PatternSegments.takeRecent(index, session, node)
      guard !documents.isEmpty else { return false }
      let builder = PatternSegmentBuilder()
      for (row, document) in documents { builder.add(document, row: row) }
      let segment = try session.query("SELECT nextval('cx_tri_segment')").int64(0, 0)
      try PatternSegments.write(builder, index: index, segment: segment, session, node)
      return true
    }
  }

  /// Returns the numbers of the segments to merge, oldest first; nil for none.
  private func segmentsToMerge(_ node: Int, all: Bool) throws -> [Int64]? {
    let result = try transactions.read { session in
      try session.query(
        "SELECT seg, octet_length(payload) FROM cx_tri WHERE idx = $1 AND tri = $2 ORDER BY seg",
        [.int64(index), .int32(PatternSegments.documentsNumber)], on: node)
    }
    let numbers = (0..<result.count).map { result.int64($0, 0) }
    // A document usually takes one byte of the list.
    let range = all ? numbers.indices : MergePlan.range((0..<result.count).map { Int(result.int64($0, 1)) })
    return range.flatMap { $0.count > 1 ? Array(numbers[$0]) : nil }
  }

  /// - Returns: false if the segments do not exist any longer.
  private func merge(_ segments: [Int64], _ node: Int) throws -> Bool {
    let all = PatternSegments.documentsNumber...PatternSegments.documentsNumber
    let documents = try transactions.read { try rows(all, segments, node, $0)[PatternSegments.documentsNumber] ?? [:] }
    let ranges = try transactions.read { try parts(segments, node, $0) }
    var newer: [UInt32] = []
    var hidden: [Int64: [UInt32]] = [:]
    for segment in segments.reversed() {
      hidden[segment] = newer
      newer = newer.merged(with: documents[segment] ?? [])
    }
    for part in ranges {
      let lists = try transactions.read { try rows(part, segments, node, $0) }
      let merged = lists.mapValues { PatternMaintenance.merged($0, segments, hidden) }
      guard try replace(part, segments, merged, node) else { return false }
    }
    return try replace(all, segments, [PatternSegments.documentsNumber: newer], node)
  }

  /// Merges the lists of a trigram.
  ///
  /// - Parameter hidden: for each segment, the documents of which newer segments have newer versions.
  private static func merged(
    _ lists: [Int64: [UInt32]], _ segments: [Int64], _ hidden: [Int64: [UInt32]]
  ) -> [UInt32] {
    let remaining = segments.compactMap { segment -> [UInt32]? in
      guard let list = lists[segment], let newer = hidden[segment], !newer.isEmpty else { return lists[segment] }
      return list.subtracting(newer)
    }
    return RowDeltas.joined(remaining)
  }

  /// Returns ranges of trigrams whose lists have about the size of a part.
  private func parts(_ segments: [Int64], _ node: Int, _ session: any PostgresSession) throws -> [ClosedRange<Int32>] {
    let result = try session.query(
      """
      SELECT min(tri), max(tri) FROM (
        SELECT tri, sum(octet_length(payload)) OVER (ORDER BY tri) AS size FROM cx_tri
        WHERE idx = $1 AND tri > $2 AND seg = ANY ($3)) t
      GROUP BY size / $4 ORDER BY 1
      """,
      [
        .int64(index), .int32(PatternSegments.documentsNumber), .int64s(segments),
        .int64(PatternMaintenance.partSize),
      ], on: node)
    return (0..<result.count).map { row in
      let (first, last) = (Int32(clamping: result.int64(row, 0)), Int32(clamping: result.int64(row, 1)))
      return first...max(first, last)
    }
  }

  /// Returns the lists of trigrams in segments.
  private func rows(
    _ trigrams: ClosedRange<Int32>, _ segments: [Int64], _ node: Int, _ session: any PostgresSession
  ) throws -> [Int32: [Int64: [UInt32]]] {
    let result = try session.query(
      "SELECT tri, seg, payload FROM cx_tri WHERE idx = $1 AND tri BETWEEN $2 AND $3 AND seg = ANY ($4)",
      [.int64(index), .int32(trigrams.lowerBound), .int32(trigrams.upperBound), .int64s(segments)], on: node)
    var lists: [Int32: [Int64: [UInt32]]] = [:]
    for row in 0..<result.count {
      lists[Int32(clamping: result.int64(row, 0)), default: [:]][result.int64(row, 1)] = RowDeltas.decode(
        result.bytes(row, 2))
    }
    return lists
  }

  /// Replaces the lists of trigrams in segments by lists of the newest one.
  ///
  /// - Returns: false if the segments do not exist any longer.
  private func replace(
    _ trigrams: ClosedRange<Int32>, _ segments: [Int64], _ lists: [Int32: [UInt32]], _ node: Int
  ) throws -> Bool {
    try transactions.write { session in
      let known = try session.query(
        "SELECT count(*) FROM cx_tri WHERE idx = $1 AND tri = $2 AND seg = ANY ($3)",
        [.int64(index), .int32(PatternSegments.documentsNumber), .int64s(segments)], on: node)
      guard known.int64(0, 0) == Int64(segments.count), let newest = segments.last else { return false }
      try session.enqueue(
        PostgresStatement(
          "DELETE FROM cx_tri WHERE idx = $1 AND tri BETWEEN $2 AND $3 AND seg = ANY ($4)",
          [.int64(index), .int32(trigrams.lowerBound), .int32(trigrams.upperBound), .int64s(segments)]), on: node)
      var rows = PostgresCopyRows()
      for (trigram, documents) in lists.sorted(by: { $0.key < $1.key })
      where !documents.isEmpty || trigram == PatternSegments.documentsNumber {
        PatternSegments.append(RowDeltas.encode(documents), trigram, index, newest, to: &rows)
      }
      try session.copy(into: PatternSegments.target, rows, on: node)
      return true
    }
  }
}
