import PostgresAccess
import TextIndex

/// Merges the segments of pattern indexes, and turns recent documents into segments.
///
/// A merge replaces the lists of a few trigrams in each of its transactions, without the lock of writers: they only add
/// segments. Readers see each list either before or after. The merged segment has the number of the newest one, so if
/// the process ends in between, every list is still in the order of the segments, and a later merge continues.
struct PatternMaintenance {
  /// The ID of the index.
  let index: Int64
  let transactions: any MaintenanceTransactions

  /// Mixed with the ID of the index: "patterns" in ASCII.
  private static let lockNumber: Int64 = 0x7061_7474_6572_6E73
  /// The size in bytes of the lists that a transaction replaces.
  private static let partSize: Int64 = 4 << 20
  /// The number of parts whose space is made available together, so that a merge needs less additional space than its
  /// result.
  private static let vacuumedPartCount = 16

  /// Writes recent documents to segments, and merges segments until none need to be merged.
  ///
  /// - Parameter all: whether all segments are merged into one, instead of only those that have become too many.
  /// - Returns: the number of segments that were written; nil if another process is working on the index.
  func run(mergingAll all: Bool) throws -> Int? {
    try transactions.lock(PatternMaintenance.lockNumber ^ index) { requireLock in
      var written = 0
      for node in try transactions.read({ $0.nodes.shardNodes }) {
        written += try flush(node, all: all) ? 1 : 0
        while let segments = try segmentsToMerge(node, all: all) {
          // If the index was dropped in the meantime, nothing remains to merge.
          guard try merge(segments, node, requireLock) else { break }
          written += 1
          try vacuum(node)
        }
      }
      return written
    }
  }

  private func flush(_ node: Int, all: Bool) throws -> Bool {
    let count = try transactions.read { session in
      let shard = session.filter(node)
      return try session.query(
        "SELECT count(*) FROM cx_tri_recent WHERE idx = $1\(shard.condition(2))", [.int64(index)] + shard.parameters,
        on: node
      ).int64(0, 0)
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
      let shard = session.filter(node)
      return try session.query(
        "SELECT seg, octet_length(payload) FROM cx_tri WHERE idx = $1 AND tri = $2\(shard.condition(3)) ORDER BY seg",
        [.int64(index), .int32(PatternSegments.documentsNumber)] + shard.parameters, on: node)
    }
    let numbers = (0..<result.count).map { result.int64($0, 0) }
    // A document usually takes one byte of the list.
    let range = all ? numbers.indices : MergePlan.range((0..<result.count).map { Int(result.int64($0, 1)) })
    return range.flatMap { $0.count > 1 ? Array(numbers[$0]) : nil }
  }

  /// - Parameter requireLock: throws if the lock of the index was lost. Another merge of the same segments could leave
  ///   rows of a segment whose documents are no longer listed.
  /// - Returns: false if the segments no longer exist.
  private func merge(_ segments: [Int64], _ node: Int, _ requireLock: () throws -> Void) throws -> Bool {
    let (documents, shard) = try transactions.read { (try self.documents(of: segments, node, $0), $0.filter(node)) }
    let ranges = try transactions.read { try parts(segments, node, $0) }
    var newer: [UInt32] = []
    var hidden: [Int64: [UInt32]] = [:]
    for segment in segments.reversed() {
      let own = documents[segment] ?? []
      // Most segments have no document of a newer one. Those of old versions of the tables do not list their documents.
      hidden[segment] = own.isEmpty ? newer : own.intersection(newer)
      newer = newer.merged(with: own)
    }
    guard let newest = segments.last else { return false }
    for (number, part) in ranges.enumerated() {
      if number > 0, number % PatternMaintenance.vacuumedPartCount == 0 { try vacuum(node) }
      let lists = try transactions.read { try self.lists(part, segments, node, $0) }
      var rows = PatternRows(index: index, segment: newest, shard)
      for (trigram, lists) in lists.sorted(by: { $0.key < $1.key }) {
        let merged = PatternMaintenance.merged(lists, segments, hidden)
        if !merged.isEmpty { rows.append(TrigramList.encode(merged), trigram) }
      }
      let numbers = [SharedLists.numbers(part), SharedLists.trigrams(part)]
      try requireLock()
      guard try replace(numbers, segments, rows.take(), node, shard) else { return false }
    }
    var rows = PatternRows(index: index, segment: newest, shard)
    rows.append(documents: newer)
    let number = PatternSegments.documentsNumber
    try requireLock()
    return try replace([number...number], segments, rows.take(), node, shard)
  }

  /// Makes the space of replaced rows available.
  private func vacuum(_ node: Int) throws {
    // Rows are kept for transactions that were open when they were deleted, such as that of an import. This one begins
    // later.
    try transactions.write { _ in }
    try transactions.vacuum(["cx_tri"], on: node)
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

  /// Returns the documents of segments.
  private func documents(
    of segments: [Int64], _ node: Int, _ session: any PostgresSession
  ) throws -> [Int64: [UInt32]] {
    let shard = session.filter(node)
    let result = try session.query(
      "SELECT seg, payload FROM cx_tri WHERE idx = $1 AND tri = $2 AND seg = ANY ($3)\(shard.condition(4))",
      [.int64(index), .int32(PatternSegments.documentsNumber), .int64s(segments)] + shard.parameters, on: node)
    let documents = try session.reportingDamage(ofPatterns: index) {
      try (0..<result.count).map { (result.int64($0, 0), try RowDeltas.decode(result.bytes($0, 1))) }
    }
    return Dictionary(documents, uniquingKeysWith: { $1 })
  }

  /// Returns ranges of the first two bytes of trigrams whose lists have about the size of a part.
  private func parts(_ segments: [Int64], _ node: Int, _ session: any PostgresSession) throws -> [ClosedRange<Int32>] {
    let shard = session.filter(node)
    let result = try session.query(
      """
      SELECT min(prefix), max(prefix) FROM (
        SELECT prefix, sum(size) OVER (ORDER BY prefix)::int8 AS size FROM (
          SELECT CASE WHEN tri < 0 THEN tri - $5 ELSE tri >> 8 END AS prefix, sum(octet_length(payload)) AS size
          FROM cx_tri WHERE idx = $1 AND tri <> $2 AND seg = ANY ($3)\(shard.condition(6)) GROUP BY 1) p) t
      GROUP BY size / $4 ORDER BY 1
      """,
      [
        .int64(index), .int32(PatternSegments.documentsNumber), .int64s(segments),
        .int64(PatternMaintenance.partSize), .int32(SharedLists.firstNumber),
      ] + shard.parameters, on: node)
    return (0..<result.count).map { row in
      let (first, last) = (Int32(clamping: result.int64(row, 0)), Int32(clamping: result.int64(row, 1)))
      return first...max(first, last)
    }
  }

  /// Returns the lists of the trigrams of a part in segments.
  private func lists(
    _ part: ClosedRange<Int32>, _ segments: [Int64], _ node: Int, _ session: any PostgresSession
  ) throws -> [UInt32: [Int64: [UInt32]]] {
    let shard = session.filter(node)
    var lists: [UInt32: [Int64: [UInt32]]] = [:]
    for numbers in [SharedLists.numbers(part), SharedLists.trigrams(part)] {
      let result = try session.query(
        "SELECT tri, seg, payload FROM cx_tri WHERE idx = $1 AND tri BETWEEN $2 AND $3 AND seg = ANY ($4)"
          + shard.condition(5),
        [.int64(index), .int32(numbers.lowerBound), .int32(numbers.upperBound), .int64s(segments)] + shard.parameters,
        on: node)
      try session.reportingDamage(ofPatterns: index) {
        for row in 0..<result.count {
          try PatternRows.forEachList(Int32(clamping: result.int64(row, 0)), result.bytes(row, 2)) { trigram, list in
            lists[trigram, default: [:]][result.int64(row, 1)] = try TrigramList.decode(list)
          }
        }
      }
    }
    return lists
  }

  /// Replaces rows of segments by rows of the newest one.
  ///
  /// - Parameter numbers: the numbers of the rows in the column `tri`.
  /// - Returns: false if the segments no longer exist.
  private func replace(
    _ numbers: [ClosedRange<Int32>], _ segments: [Int64], _ rows: PostgresCopyRows, _ node: Int, _ shard: ShardFilter
  ) throws -> Bool {
    try transactions.change(on: node) { connection in
      let known = try connection.run([PatternSegments.documentsLock(index, shard, of: segments)])[0]
      guard known.count == segments.count else { return false }
      for range in numbers {
        _ = try connection.run(
          "DELETE FROM cx_tri WHERE idx = $1 AND tri BETWEEN $2 AND $3 AND seg = ANY ($4)\(shard.condition(5))",
          [.int64(index), .int32(range.lowerBound), .int32(range.upperBound), .int64s(segments)] + shard.parameters)
      }
      try connection.copy(into: PatternSegments.target(shard), rows)
      return true
    }
  }
}
