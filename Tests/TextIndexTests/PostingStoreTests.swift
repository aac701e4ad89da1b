import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares matching, scoring and bounded search in a store in memory with those in FTS5's tables.
@Suite struct PostingStoreTests {
  private static let words = ["a", "a", "a", "b", "b", "c", "d", "ab", "abc", "rare"]

  /// Returns two stores with the same documents.
  private static func make(rows: Int, _ random: inout SeededGenerator) throws -> (TestIndex, MemoryStore) {
    let index = try TestIndex(["f0", "f1"])
    var documents: [UInt32: MemoryStore.Document] = [:]
    for row in 1...rows {
      let columns = [3, 12].map { limit in
        (0..<Int.random(in: 0...limit, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      }
      documents[UInt32(row * 2)] = columns.map { $0.map { [$0] } }
      let texts = columns.map { $0.joined(separator: " ") }
      try index.insert(Int64(row * 2), "{\"f0\":\"\(texts[0])\",\"f1\":\"\(texts[1])\"}")
    }
    return (index, MemoryStore(documents, columnCount: 2))
  }

  private static let queries = [
    "a", "rare", "a b", "a AND b AND rare", "a OR c", "a OR b OR c OR d OR rare", "(a OR b) AND (c OR d)", "a NOT b",
    "\"a b\"", "\"a b a\"", "^a", "NEAR(a b, 2)", "NEAR(\"a b\" c, 1) OR d", "ab*", "\"a ab*\"", "f0 : a",
    "{f0} : (a OR b) AND c", "- f0 : \"b a\"", "(a OR \"b c\") NOT (rare OR \"a c\")", "nosuch", "a OR nosuch",
  ]

  @Test(arguments: [1, 2, 3] as [UInt64]) func storesReturnSameRowsAndScores(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (index, store) = try PostingStoreTests.make(rows: 200, &random)
    var ranking = Ranking(weights: ["f0": 2])
    ranking.b = 0.6
    for formula in [Ranking.Formula.bm25f, .fts5] {
      ranking.formula = formula
      let reader = IndexReader(index.index, store)
      for text in PostingStoreTests.queries {
        let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
        let expected = try index.queue.read { try query.matches($0, ranking: ranking).best(1000) }
        func matches(excluding rows: [Int64] = []) throws -> MatchSet {
          try query.matches(reader, ranking: ranking, excluding: rows)
        }
        #expect(try matches().best(1000) == expected, "\(text)")
        #expect(try matches().best(5) == Array(expected.prefix(5)), "\(text)")
        #expect(try matches().count == expected.count, "\(text)")
        #expect(try matches().rows().rows == expected.map(\.rowID).sorted(), "\(text)")
        let others = expected.filter { ![4, 20].contains($0.rowID) }
        #expect(try matches(excluding: [4, 20]).best(1000) == others, "\(text)")
        for hit in expected.prefix(3) {
          #expect(try matches().explanation(ofRow: hit.rowID)?.score == hit.score, "\(text)")
        }
      }
    }
  }

  /// Suggestions, corrections and feedback access the store only through its protocols.
  @Test func storesReturnSameWords() throws {
    let texts = ["memory barrier", "memory allocation", "memory barriers and locks", "a lock", "the allocator", "rare"]
    let index = try TestIndex(["f0"])
    var documents: [UInt32: MemoryStore.Document] = [:]
    for (number, text) in texts.enumerated() {
      try index.insert(Int64(number + 1), "{\"f0\":\"\(text)\"}")
      documents[UInt32(number + 1)] = [text.split(separator: " ").map { [String($0)] }]
    }
    let memory = IndexReader(index.index, MemoryStore(documents, columnCount: 1))
    let query = try #require(SearchBoxParser(fields: []).parse("memry alocation").query)
    try index.queue.read { db in
      let stored = index.index.reader(db)
      for beginning in ["", "mem", "l"] {
        #expect(try memory.terms(beginningWith: beginning) == stored.terms(beginningWith: beginning))
        #expect(try memory.completions(of: beginning, limit: 5) == stored.completions(of: beginning, limit: 5))
      }
      let corrections = try memory.corrections(of: query, in: "memry alocation")
      #expect(corrections.map(\.word) == ["memory", "allocation"])
      #expect(try corrections == stored.corrections(of: query, in: "memry alocation"))
    }
  }

  /// The best documents of common words are found without reading all blocks.
  @Test(arguments: [4, 5] as [UInt64]) func onlyNecessaryBlocksAreRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (index, store) = try PostingStoreTests.make(rows: 800, &random)
    let ranking = try ResolvedRanking(Ranking(), for: index.index)
    let reading = LeafReadPolicy(leafCount: 8, share: 1, termCount: 3)
    for text in ["a", "b", "a AND rare", "a AND b", "c OR rare"] {
      let match = try FullTextQuery(MatchParser().parse(text), in: index.index).match
      let before = store.readBlockCount
      let search = try #require(try BoundedSearch(match, ranking, store, reading), "\(text)")
      let best = try search.ranked(limit: 3, excluding: [])
      let found = try MatchSearch(match, store).ranked(limit: 3, ranking)
      #expect(best == nil || best == found, "\(text)")
      let blockCount = (store.documentFrequency("a") + 3) / 4
      if text == "a" { #expect(best != nil && store.readBlockCount - before < blockCount / 2) }
      store.search.postings.uses.forEach { _ = store.search.postings.remove($0) }
    }
  }

  /// With a budget for blocks that is too small, the whole list is read.
  @Test func exhaustedBudgetFallsBackToFullRead() throws {
    var random = SeededGenerator(seed: 6)
    let (index, store) = try PostingStoreTests.make(rows: 300, &random)
    let ranking = try ResolvedRanking(Ranking(), for: index.index)
    let match = try FullTextQuery(MatchParser().parse("a"), in: index.index).match
    let reading = LeafReadPolicy(leafCount: 2, share: 0)
    let search = try #require(try BoundedSearch(match, ranking, store, reading))
    #expect(try search.ranked(limit: 3, excluding: []) == nil)
  }
}
