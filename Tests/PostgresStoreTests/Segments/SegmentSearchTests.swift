import QueryModel
import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// Compares searches in segments with searches in FTS5's tables after random changes, flushes and merges.
@Suite struct SegmentSearchTests {
  private static let words = ["a", "a", "a", "b", "b", "c", "d", "ab", "abc", "running", "runs", "rare"]

  private static let queries = [
    "a", "rare", "a b", "a AND b AND rare", "a OR c", "a OR b OR c OR d OR rare", "(a OR b) AND (c OR d)", "a NOT b",
    "\"a b\"", "\"a b a\"", "^a", "NEAR(a b, 2)", "NEAR(\"a b\" c, 1) OR d", "ab*", "\"a ab*\"", "f0 : a",
    "{f0} : (a OR b) AND c", "- f0 : \"b a\"", "(a OR \"b c\") NOT (rare OR \"a c\")", "nosuch", "a OR nosuch", "run",
    "a*",
  ]

  private static func json(_ random: inout SeededGenerator) -> String {
    // Documents without terms are also in the index.
    if Int.random(in: 0..<10, using: &random) == 0 {
      return ["{\"type\":\"x\"}", "{\"f0\":\"\",\"f1\":[\"?!\"]}"].randomElement(using: &random) ?? ""
    }
    let texts = [3, 14].map { limit in
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    return "{\"f0\":\"\(texts[0])\",\"f1\":[\"\(texts[1])\",\"x\(Int.random(in: 0...60, using: &random))\"]}"
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func segmentsAgreeWithFTS5(seed: UInt64) throws {
    // With several shards, the rows of a shard begin at a multiple of 1,024.
    let division = RowDivision(shardCount: seed % 2 == 0 ? 4 : 1, numberBits: seed % 2 == 0 ? 10 : 32)
    let pair = try IndexPair(
      ["f0", "f1"], MemoryBackend(segments: MemorySegments(division)), division,
      AnalyzerConfiguration(language: seed % 3 == 0 ? "en" : nil))
    try SegmentSearchTests.run(pair, seed: seed)
  }

  /// Changes documents in random ways and compares all queries after each round.
  static func run(_ pair: IndexPair, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<5 {
      // Small transactions become recent changes, large ones segments.
      for _ in 0..<3 {
        let count = Bool.random(using: &random) ? 120 : Int.random(in: 1...6, using: &random)
        try pair.save(
          (0..<count).map { _ in
            let shard = Int64.random(in: 0..<Int64(pair.division.shardCount), using: &random)
            let row = shard << Int64(pair.division.numberBits) + Int64.random(in: 1...200, using: &random)
            return (row, Int.random(in: 0..<5, using: &random) == 0 ? nil : json(&random))
          })
      }
      for manifest in try pair.manifests() {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: _ = try pair.backend.write { try pair.maintenance.flushRecent(shard: manifest.shard, $0) }
        case 1 where manifest.segments.count > 1:
          let start = Int.random(in: 0..<manifest.segments.count - 1, using: &random)
          let end = Int.random(in: start + 1..<manifest.segments.count, using: &random)
          try pair.backend.merge(start..<end + 1, of: manifest, pair.maintenance)
        default: break
        }
      }
      #expect(try pair.problem() == nil)
      try compare(pair, weights: round % 2 == 0 ? [:] : ["f0": 2])
    }
  }

  static func compare(_ pair: IndexPair, weights: [String: Double]) throws {
    var ranking = Ranking(weights: weights)
    ranking.b = 0.6
    try pair.read { stored, segments in
      #expect(try segments.documentCount() == stored.documentCount())
      for text in queries {
        let query = try FullTextQuery(MatchParser().parse(text), in: pair.index)
        func matches(_ reader: IndexReader, excluding rows: [Int64] = []) throws -> MatchSet {
          try query.matches(reader, ranking: ranking, excluding: rows)
        }
        let expected = try matches(stored).best(1000)
        #expect(try matches(segments).best(1000) == expected, "\(text)")
        #expect(try matches(segments).best(3) == Array(expected.prefix(3)), "\(text)")
        #expect(try matches(segments).count == expected.count, "\(text)")
        #expect(try matches(segments).rows().rows == expected.map(\.rowID).sorted(), "\(text)")
        for hit in expected.prefix(2) {
          let explanation = try matches(segments).explanation(ofRow: hit.rowID)
          #expect(try explanation == matches(stored).explanation(ofRow: hit.rowID), "\(text)")
        }
      }
      for beginning in ["", "r", "x1"] {
        #expect(
          try segments.terms(beginningWith: beginning, order: .term)
            == stored.terms(beginningWith: beginning, order: .term))
        #expect(
          try Set(segments.completions(of: beginning, limit: 100)) == Set(stored.completions(of: beginning, limit: 100))
        )
      }
      let typo = try #require(SearchBoxParser(fields: []).parse("runing").query)
      #expect(
        try segments.corrections(of: typo, in: "runing").map(\.word)
          == stored.corrections(of: typo, in: "runing").map(\.word))
    }
  }

  /// The same state is read in one round trip, and repeated searches read nothing else.
  @Test func repeatedSearchesTakeOneRoundTrip() throws {
    let division = RowDivision(shardCount: 1, numberBits: 32)
    let memory = MemorySegments(division)
    let pair = try IndexPair(["f0", "f1"], MemoryBackend(segments: memory), division)
    var random = SeededGenerator(seed: 1)
    try pair.save((1...300).map { (Int64($0), SegmentSearchTests.json(&random)) })
    try pair.save([(7, SegmentSearchTests.json(&random))])
    for text in ["a", "a AND b", "\"a b\"", "ab*"] {
      let query = try FullTextQuery(MatchParser().parse(text), in: pair.index)
      try pair.read { _ = try query.matches($1).best(10) }
      let before = memory.roundTripCount
      try pair.read { _ = try query.matches($1).best(10) }
      #expect(memory.roundTripCount == before + 1, "\(text)")
    }
  }

  /// A phrase reads the positions of the documents that contain all of its words, not those of all documents of a word.
  @Test(arguments: ["\"common rare\"", "NEAR(common rare, 3)", "\"very common rare\""])
  func phrasesReadPositionsOfCandidates(text: String) throws {
    let division = RowDivision(shardCount: 1, numberBits: 32)
    let memory = MemorySegments(division)
    let pair = try IndexPair(["f0", "f1"], MemoryBackend(segments: memory), division, memory: 64 << 20)
    try pair.save(
      (1...12_000).map { row in
        let words = row % 4000 == 17 ? "very common rare" : row % 3000 == 5 ? "rare common" : "very common"
        return (Int64(row), "{\"f0\":\"x\",\"f1\":\"\(words)\"}")
      })
    try pair.save([(50, "{\"f0\":\"x\",\"f1\":\"very common rare\"}"), (17, nil)])
    let query = try FullTextQuery(MatchParser().parse(text), in: pair.index)
    try pair.read { stored, segments in
      let (found, expected) = try (query.matches(segments).best(100), query.matches(stored).best(100))
      #expect(found == expected && !found.isEmpty)
    }
    // The words have 24 blocks each, and seven documents contain "rare".
    #expect((1...16).contains(memory.positionCount), "\(memory.positionCount)")
  }
}
