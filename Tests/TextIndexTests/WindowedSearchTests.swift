import Foundation
import GRDB
import Testing

@testable import TextIndex

/// Compares windowed search, which skips windows, terms and documents, with the evaluation of all documents.
@Suite struct WindowedSearchTests {
  /// The postings of phrases are cached with their score bounds. Phrases near each other are not cached, so computing
  /// their bounds takes longer than scoring every posting.
  @Test func cachedPostingsAreSearchedWithWindows() throws {
    let index = try TestIndex(["text"])
    try index.write { writer in
      for row in 1...2500 as ClosedRange<Int64> { try writer.insert(index.terms(#"{"text":"a b"}"#), rowID: row) }
    }
    let ranking = try ResolvedRanking(Ranking(), for: index.index)
    func isWindowed(_ match: CompiledMatch) throws -> Bool {
      let search = try index.queue.read { try MatchSearch(match, in: index.index, $0) }
      return search.windowedSearch(search.node, limit: 10, search.state.scorer(ranking)) != nil
    }
    let phrase = CompiledMatch.phrase(CompiledPhrase(positions: [["a"], ["b"]]))
    let word = CompiledMatch.phrase(CompiledPhrase(positions: [["a"]]))
    let state = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    let key = PostingsCache.Key(CompiledPhrase(positions: [["a"], ["b"]]), columns: nil)
    #expect(!state.postings.holds(key))
    #expect(try isWindowed(phrase) && isWindowed(word) && isWindowed(.or([phrase, word])))
    #expect(state.postings.holds(key))
    let near = CompiledMatch.near(
      [CompiledPhrase(positions: [["a"]]), CompiledPhrase(positions: [["b"]])], distance: 2)
    #expect(try !isWindowed(near))
  }

  @Test(arguments: [
    // The length parts nearly cancel the other parts out with a small mu, and are nearly 0 with a large one.
    RankingModel.bm25, .dph, .dirichlet(), .dirichlet(mu: 0.001), .dirichlet(mu: 1_000_000), .jelinekMercer(),
  ])
  func skippingChangesNoHit(model: RankingModel) throws {
    var random = SeededGenerator(seed: 11)
    let index = try TestIndex(["title", "text"])
    try index.write { writer in
      for row in 1...3000 as ClosedRange<Int64> {
        // The word number n is in about one of 2^n documents. Some rows remain free.
        guard row % 7 != 0 else { continue }
        let words = (0..<9).flatMap { number -> [String] in
          guard Int.random(in: 0..<(1 << number), using: &random) == 0 else { return [] }
          return Array(repeating: "w\(number)", count: Int.random(in: 1...4, using: &random))
        }
        let filler = Array(repeating: "x", count: Int.random(in: 0...40, using: &random))
        let text = (words + filler).joined(separator: " ")
        try writer.insert(index.terms("{\"title\":\"w\(row % 9)\",\"text\":\"\(text)\"}"), rowID: row)
      }
    }
    var ranking = Ranking(weights: ["title": 2])
    ranking.model = model
    let resolved = try ResolvedRanking(ranking, for: index.index)
    for _ in 0..<60 {
      let numbers = Array((0..<9).shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)))
      let phrases = numbers.map { CompiledMatch.phrase(CompiledPhrase(positions: [["w\($0)"]])) }
      let isAny = Bool.random(using: &random)
      let match = isAny ? CompiledMatch.or(phrases) : .and(phrases)
      let search = try index.queue.read { try MatchSearch(match, in: index.index, $0) }
      let all = search.all(resolved)
      let expected = zip(all.rows, all.scores).map { RankedRow(rowID: Int64($0), score: $1) }
        .sorted { ($0.score, -$0.rowID) > ($1.score, -$1.rowID) }
      let windowed = WindowedSearch(
        try #require(search.leaves), isAny ? .any : .all, search.state, search.state.scorer(resolved))
      for limit in [1, 3, 10, 40] {
        var hits = TopHits(capacity: limit)
        windowed.run(&hits)
        #expect(hits.ranked == Array(expected.prefix(limit)), "\(match), \(limit)")
      }
    }
  }
}
