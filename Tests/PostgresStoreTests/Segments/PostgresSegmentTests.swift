import PostgresAccess
import QueryModel
import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// Compares full-text indexes on PostgreSQL with those on SQLite.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PostgresSegmentTests {
  private static func pair(shards: Int, language: String? = nil) throws -> (IndexPair, PostgresBackend) {
    let layout = try #require(ShardLayout(count: shards))
    // The SQLite index does not read posting lists of rows as sparse as those of many shards.
    let division = RowDivision(shardCount: shards, numberBits: shards == 1 ? layout.numberBits : 14)
    let backend = try PostgresBackend(shards: layout, index: 1, division)
    let pair = try IndexPair(["f0", "f1"], backend, division, AnalyzerConfiguration(language: language))
    try backend.write { try PostgresFullText.create(pair.index, $0) }
    return (pair, backend)
  }

  @Test(arguments: [(1, 12), (16, 13)] as [(Int, UInt64)])
  func indexesAgreeWithFTS5(shards: Int, seed: UInt64) throws {
    let (pair, _) = try PostgresSegmentTests.pair(shards: shards, language: seed == 12 ? "en" : nil)
    try SegmentSearchTests.run(pair, seed: seed)
  }

  /// Long lists are read block by block, from segments whose rows do and do not overlap.
  @Test func longListsAgreeWithFTS5() throws {
    let (pair, backend) = try PostgresSegmentTests.pair(shards: 2)
    var random = SeededGenerator(seed: 5)
    for start in stride(from: 1, to: 12_000, by: 3000) {
      try pair.save(
        (start..<start + 3000).flatMap { row in
          [0, 1].map { shard in
            let words = (0..<Int.random(in: 1...8, using: &random)).map { _ in
              ["a", "a", "a", "b", "c", "d\(Int.random(in: 0..<50, using: &random))"].randomElement(using: &random)
                ?? ""
            }
            return (Int64(shard << 14 + row), "{\"f0\":\"\(words[0])\",\"f1\":\"\(words.joined(separator: " "))\"}")
          }
        })
    }
    try compare(pair)
    try pair.save((1...40).map { (Int64($0 * 250), $0 % 3 == 0 ? nil : "{\"f0\":\"a a\",\"f1\":\"a b d7\"}") })
    try compare(pair)
    let maintenance = FullTextMaintenance(pair.index, backend)
    #expect(try maintenance.run(mergingAll: true, retirementAge: 0) == 3)
    #expect(try pair.manifests().map(\.segments.count) == [1, 1])
    try compare(pair)
    // The rows of the merged segments were deleted.
    let counts = try backend.read { (session: any PostgresSession) in
      try session.query("SELECT count(*), (SELECT count(*) FROM cx_retired) FROM cx_seg")
    }
    #expect(counts.int64(0, 0) == 2 && counts.int64(0, 1) == 0)
  }

  private func compare(_ pair: IndexPair) throws {
    try pair.read { stored, segments in
      for text in ["a", "b", "d7", "a AND b", "a AND d7", "a OR b", "\"a b\"", "d*", "a NOT b"] {
        let query = try FullTextQuery(MatchParser().parse(text), in: pair.index)
        let expected = try query.matches(stored)
        let found = try query.matches(segments)
        #expect(try found.best(10) == expected.best(10), "\(text)")
        #expect(try found.count == expected.count, "\(text)")
        #expect(try found.scoredRows().rows == expected.scoredRows().rows, "\(text)")
      }
    }
  }

  /// The terms of a document without terms have no bytes, but the segment contains the document.
  @Test(arguments: [nil, "{\"f0\":\"a b\",\"f1\":\"a\"}", "{\"f0\":\"?\"}"] as [String?])
  func documentsWithoutTermsAreReplaced(json: String?) throws {
    let (pair, backend) = try PostgresSegmentTests.pair(shards: 1)
    try pair.save(
      (1...300).map { (Int64($0), $0 == 7 ? "{\"type\":\"x\"}" : "{\"f0\":\"a\",\"f1\":\"b w\($0)\"}") })
    #expect(try pair.manifests().map(\.segments.count) == [1])
    try pair.save([(7, json)])
    #expect(try pair.problem() == nil)
    try compare(pair)
    let isFlushed = try pair.backend.write { try pair.maintenance.flushRecent(shard: 0, $0) }
    #expect(isFlushed)
    #expect(try pair.problem() == nil)
    #expect(try FullTextMaintenance(pair.index, backend).run(mergingAll: true) == 1)
    #expect(try pair.problem() == nil)
    try compare(pair)
  }

  /// A merge takes the lock of writers to begin and to end and to delete the replaced rows, not for each part of its
  /// rows, because an import holds the lock most of the time.
  @Test func mergesDoNotWaitForWriters() throws {
    let (pair, backend) = try PostgresSegmentTests.pair(shards: 1)
    for start in [1, 10_001] {
      try pair.save((start..<start + 10_000).map { (Int64($0), "{\"f0\":\"a w\($0)\",\"f1\":\"x\($0 % 11)\"}") })
    }
    let before = backend.writeCount
    #expect(try FullTextMaintenance(pair.index, backend).run(mergingAll: true) == 1)
    #expect(backend.writeCount == before + 3)
    #expect(try pair.problem() == nil)
    let counts = try backend.read { (session: any PostgresSession) in
      try session.query("SELECT count(DISTINCT seg), (SELECT count(*) FROM cx_retired) FROM cx_dict")
    }
    #expect(counts.int64(0, 0) == 1 && counts.int64(0, 1) == 0)
  }

  /// A search for a common word takes a few round trips the first time, and one for the state of the index later.
  @Test func searchesTakeFewRoundTrips() throws {
    let (pair, backend) = try PostgresSegmentTests.pair(shards: 1)
    try pair.save(
      (1...20_000).map { (Int64($0), "{\"f0\":\"a\(String(repeating: " a", count: $0 % 7))\",\"f1\":\"x\($0 % 11)\"}") }
    )
    var counts: [Int] = []
    backend.observer = { counts.append($0.roundTripCount) }
    for text in ["a", "x3", "a", "\"a a\"", "\"a a\"", "(x5 OR x7) NOT x9"] {
      let query = try FullTextQuery(MatchParser().parse(text), in: pair.index)
      try pair.read { _ = try query.matches($1).best(10) }
    }
    // BEGIN and COMMIT are two; then manifest with headers, dictionary with lengths, and one or two batches of blocks.
    #expect(counts[0] <= 2 + 4)
    // Headers and lengths are known.
    #expect(counts[1] <= 2 + 4)
    #expect(counts[3] == 2 + 2)
    #expect(counts[2] == 2 + 1 && counts[4] == 2 + 1)
    // The dictionary and the blocks of all words are read together.
    #expect(counts[5] == 2 + 3)
  }
}
