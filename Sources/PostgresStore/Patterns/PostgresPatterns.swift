import PostgresAccess
import TextIndex
import TrigramIndex

extension ConnectionTables: RemotePatternIndexes {
  func createPatternIndex(_ id: Int64) throws {}

  func dropPatternIndex(_ id: Int64) throws {
    // A merge that is replacing rows locks these first too. Otherwise, each could wait for rows that the other has
    // deleted.
    try session.enqueueAll { PatternSegments.documentsLock(id, $0) }
    for table in PatternSegments.tables {
      try session.enqueueAll { $0.deletion(from: table, index: id) }
    }
  }

  func patternWriter(_ id: Int64) throws -> any RemotePatternWriter { PatternSegmentWriter(id, session) }

  func patternSummary(
    _ id: Int64, of trigrams: Set<UInt32>, withLongDocuments: Bool
  ) throws -> RemotePatternSummary {
    let results = try session.queryAll { node in
      summaryStatements(id, of: trigrams, withLongDocuments: withLongDocuments, session.filter(node))
    }
    var summary = RemotePatternSummary()
    for row in 0..<results[0].count where results[0].isNull(row, 1) {
      summary.sizes[UInt32(truncatingIfNeeded: results[0].int64(row, 0)), default: 0] += Int(results[0].int64(row, 2))
    }
    // A trigram that has long lists too is read again, because another node may have them.
    try session.reportingDamage(ofPatterns: id) {
      summary.lists = try results[0].lists(of: trigrams.subtracting(summary.sizes.keys))
      summary.recent = try (0..<results[1].count).map { row in
        (UInt32(truncatingIfNeeded: results[1].int64(row, 0)), try RowDeltas.decode(results[1].bytes(row, 1)))
      }
    }
    for (trigram, list) in summary.lists { summary.sizes[trigram] = list.count }
    if withLongDocuments {
      summary.long = (0..<results[2].count).map { UInt32(truncatingIfNeeded: results[2].int64($0, 0)) }
    }
    return summary
  }

  /// Returns the statements of ``patternSummary(_:of:withLongDocuments:)`` for a node.
  private func summaryStatements(
    _ id: Int64, of trigrams: Set<UInt32>, withLongDocuments: Bool, _ shard: ShardFilter
  ) -> [PostgresStatement] {
    let index = [.int64(id)] + shard.parameters
    let parameters: [PostgresValue] =
      [.int64(id), .int32s(trigrams.sorted().map { Int32(bitPattern: $0) })] + shard.parameters
    var statements = [
      // The sizes of long lists, and the rows of trigrams that have only short ones. One statement sees both in one
      // state: in a write transaction, another one could see a merge that has moved a list from one kind of row to the
      // other. The length of a list that is stored outside of its row is in the row.
      PostgresStatement(
        """
        SELECT tri, NULL::bytea AS payload, sum(octet_length(payload))::int8 AS size, NULL::int8 AS seg
        FROM cx_tri WHERE idx = $1 AND tri = ANY ($2::int4[])\(shard.condition(3)) GROUP BY tri
        UNION ALL
        SELECT tri, payload, NULL::int8, seg FROM cx_tri WHERE idx = $1 AND tri = ANY (ARRAY(
          SELECT DISTINCT (t >> 8) + \(SharedLists.firstNumber) FROM unnest($2::int4[]) AS t
          WHERE NOT EXISTS (SELECT FROM cx_tri WHERE idx = $1 AND tri = t\(shard.condition(3)))))\(shard.condition(3))
        ORDER BY seg
        """, parameters),
      PostgresStatement(
        "SELECT doc, trigrams FROM cx_tri_recent WHERE idx = $1\(shard.condition(2)) ORDER BY doc", index),
    ]
    if withLongDocuments {
      statements.append(
        PostgresStatement("SELECT doc FROM cx_tri_long WHERE idx = $1\(shard.condition(2)) ORDER BY doc", index))
    }
    return statements
  }

  func patternLists(_ id: Int64, of trigrams: Set<UInt32>) throws -> [UInt32: [UInt32]] {
    // Shared rows are read for trigrams that do not have a row of their own in every segment.
    let result = try session.queryAll { shard in
      let condition = shard.condition(3)
      return PostgresStatement(
        """
        SELECT tri, payload FROM cx_tri WHERE idx = $1 AND tri = ANY ($2::int4[] || ARRAY(
          SELECT DISTINCT (t >> 8) + \(SharedLists.firstNumber) FROM unnest($2) AS t
          WHERE (SELECT count(*) FROM cx_tri WHERE idx = $1 AND tri = t\(condition))
            < (SELECT count(*) FROM cx_tri WHERE idx = $1 AND tri = \(PatternSegments.documentsNumber)\(condition))))
          \(condition)
        ORDER BY seg
        """, [.int64(id), .int32s(trigrams.sorted().map { Int32(bitPattern: $0) })] + shard.parameters)
    }
    return try session.reportingDamage(ofPatterns: id) { try result.lists(of: trigrams) }
  }

  func patternIndexSize(_ id: Int64) throws -> Int {
    let sizes = try session.queryAll { shard in
      let condition = shard.condition(2)
      return PostgresStatement(
        """
        SELECT coalesce((SELECT sum(octet_length(payload) + 16) FROM cx_tri WHERE idx = $1\(condition)), 0)::int8
          + coalesce((SELECT sum(octet_length(trigrams) + 16) FROM cx_tri_recent WHERE idx = $1\(condition)), 0)::int8
        """, [.int64(id)] + shard.parameters)
    }
    return (0..<sizes.count).reduce(0) { $0 + Int(sizes.int64($1, 0)) }
  }
}

extension PostgresResult {
  /// Returns the lists of trigrams in rows `tri, payload` in the order of segments. Rows without a payload are skipped.
  fileprivate func lists(of trigrams: Set<UInt32>) throws -> [UInt32: [UInt32]] {
    var lists: [UInt32: [[UInt32]]] = [:]
    for row in 0..<count where !isNull(row, 1) {
      try PatternRows.forEachList(Int32(clamping: int64(row, 0)), bytes(row, 1)) { trigram, list in
        if trigrams.contains(trigram) { lists[trigram, default: []].append(try TrigramList.decode(list)) }
      }
    }
    return lists.mapValues { RowDeltas.joined($0) }
  }
}

/// The tables of pattern indexes.
///
/// A batch of documents becomes a segment of `cx_tri`: a row for each long list of a trigram, rows that several short
/// lists share (``SharedLists``), and a row that lists its documents. A newer segment contains newer versions of its
/// documents. Segments are merged, see ``PatternMaintenance``. Documents that are saved one by one are rows of
/// `cx_tri_recent`, which every search reads, until a segment contains them.
enum PatternSegments {
  static let tables = ["cx_tri", "cx_tri_recent", "cx_tri_long"]

  /// The number in the column `tri` of the row that lists the documents of a segment. Trigrams are not negative, and
  /// shared rows have lower numbers.
  static let documentsNumber: Int32 = -1

  /// A batch with at least this number of documents becomes a segment.
  static let smallestSegment = 100

  /// The documents in `cx_tri_recent` become a segment when there are this many.
  static let recentLimit: Int64 = 256

  /// Returns the statement that locks the rows with the documents of segments, which a merge or the deletion of the
  /// index replaces.
  ///
  /// - Parameter segments: the segments; nil for all.
  static func documentsLock(_ index: Int64, _ shard: ShardFilter, of segments: [Int64]? = nil) -> PostgresStatement {
    let chosen = segments.map { [PostgresValue.int64s($0)] } ?? []
    let condition = (chosen.isEmpty ? "" : " AND seg = ANY ($3)") + shard.condition(3 + chosen.count)
    return PostgresStatement(
      "SELECT seg FROM cx_tri WHERE idx = $1 AND tri = $2\(condition) ORDER BY seg FOR UPDATE",
      [.int64(index), .int32(documentsNumber)] + chosen + shard.parameters)
  }

  /// Returns the target of COPY.
  static func target(_ shard: ShardFilter) -> String { "cx_tri (idx, tri, seg, payload\(shard.column))" }
}
