import Foundation
import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Compares searches with stored score bounds with searches that read whole doclists.
@Suite struct BoundedSearchTests {
  /// With tiny pages, few documents are enough for long doclists. Some of the documents are changed or removed after
  /// the bounds were written, segments are merged completely or partially, and bounds are written again.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func boundedSearchAgreesWithFullSearch(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["f0", "f1"])
    try index.command("pgsz", [32, 48, 64][Int(seed) % 3])
    var corpus = RandomCorpus(columnCount: 2, rowLimit: 600)
    try Self.fill(index, rows: 1...500, &random)
    var answered = 0
    for round in 0..<8 {
      if round % 2 == 0 { try index.queue.write { try FullTextCatalog.optimize(index.index, $0) } }
      if round % 4 != 3 { try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) } }
      for _ in 0..<Int.random(in: 0...30, using: &random) { try corpus.change(index, &random) }
      if round % 4 == 1 { try index.command("merge", Int.random(in: -20...20, using: &random)) }
      for _ in 0..<30 { answered += try Self.compare(index, &random) ? 1 : 0 }
    }
    #expect(answered > 60)
  }

  /// Rows are in ascending order, as in an import, so several segments have bounds.
  @Test func boundedSearchAgreesWithFullSearchAfterAppends() throws {
    var random = SeededGenerator(seed: 7)
    let index = try TestIndex(["f0", "f1"])
    try index.command("pgsz", 64)
    var answered = 0
    for start in stride(from: 1, to: 3000, by: 250) {
      try Self.fill(index, rows: start...(start + 249), &random)
      try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) }
      for _ in 0..<10 { answered += try Self.compare(index, &random) ? 1 : 0 }
    }
    #expect(answered > 60)
  }

  /// Old documents are deleted and new ones added in one transaction. With a k1 of 0 every document has the same score.
  @Test func leavesWithOnlyDeleteMarkersAreSkipped() throws {
    let index = try Self.index(1...60, removing: 1...60, adding: [("common", 61...600)])
    var ranking = Ranking()
    ranking.k1 = 0
    let query = try FullTextQuery(MatchParser().parse("common"), in: index.index)
    try index.queue.read { db in
      let found = try PostingsReader(index.index, db).boundedTerm("common")
      #expect(try #require(found).long[0].bounds.leaves[0].frequency == 0)
      #expect(try query.ranked(db, limit: 3, ranking: ranking).map(\.rowID) == [61, 62, 63])
    }
  }

  @Test func youngestSegmentIsAuthoritativeEvenIfItsDoclistIsLong() throws {
    let index = try Self.index(
      1...60, removing: 1...60, adding: [("common common common", 1...60), ("common", 61...600)])
    #expect(try Self.best(3, index) == [1, 2, 3])
    #expect(try Self.documentFrequencyFromBounds(index) == 600)
  }

  @Test func documentsInSeveralSegmentsAreCountedOnce() throws {
    let index = try Self.index(1...60, removing: 1...60, adding: [("common", 61...600)])
    // The long doclist contains delete markers for two of the rows, and a document for one.
    for row in [5, 6] as [Int64] { try index.insert(row, #"{"f0":"common"}"#) }
    try index.write { try $0.remove(index.terms(#"{"f0":"common"}"#), rowID: 100) }
    #expect(try Self.documentFrequencyFromBounds(index) == 541)
  }

  /// If delete markers were treated as documents, a conjunction would find a document that no longer contains one of
  /// the words.
  @Test func deleteMarkersDoNotMatch() throws {
    let index = try Self.index(
      1...60, removing: 1...60, adding: [("word", 1...60), ("common", 61...589), ("common word", 590...600)])
    let match = CompiledMatch.and(["common", "word"].map { .phrase(CompiledPhrase(positions: [[$0]])) })
    let ranking = try ResolvedRanking(Ranking(), for: index.index)
    try index.queue.read { db in
      let reading = LeafReadPolicy(leafCount: 2, share: 1)
      let search = try #require(try BoundedSearch(match, ranking, PostingsReader(index.index, db), reading))
      let found = try #require(try search.ranked(limit: 20, excluding: []))
      #expect(found.map(\.rowID) == Array(590...600))
    }
  }

  /// Without reading two overlapping long doclists, it is unknown which of them is authoritative for a row.
  @Test func overlappingLongDoclistsAreReadCompletely() throws {
    let index = try Self.index(
      1...300, removing: 300...300, adding: [("common common common", 300...300), ("common", 301...600)])
    #expect(try Self.documentFrequencyFromBounds(index) == nil)
    #expect(try Self.best(2, index) == [300, 1])
  }

  /// Returns an index whose documents were written in two segments. The documents of the first segment all contain the
  /// same word, and the second segment removes some of them.
  private static func index(
    _ first: ClosedRange<Int64>, removing removed: ClosedRange<Int64>, adding second: [(String, ClosedRange<Int64>)]
  ) throws -> TestIndex {
    let index = try TestIndex(["f0"])
    try index.command("pgsz", 64)
    let common = try index.terms(#"{"f0":"common"}"#)
    try index.write { writer in for row in first { try writer.insert(common, rowID: row) } }
    try index.write { writer in
      // In row order, because FTS5 begins another segment at a row that is lower than the previous one.
      for row in Set(removed).union(second.flatMap(\.1)).sorted() {
        if removed.contains(row) { try writer.remove(common, rowID: row) }
        for (text, rows) in second where rows.contains(row) {
          try writer.insert(index.terms("{\"f0\":\"\(text)\"}"), rowID: row)
        }
      }
    }
    try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) }
    return index
  }

  private static func best(_ limit: Int, _ index: TestIndex) throws -> [Int64] {
    let query = try FullTextQuery(MatchParser().parse("common"), in: index.index)
    return try index.queue.read { try query.ranked($0, limit: limit) }.map(\.rowID)
  }

  /// Returns the document frequency of the word according to the bounds; nil if they do not contain it.
  private static func documentFrequencyFromBounds(_ index: TestIndex) throws -> Int? {
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let reading = LeafReadPolicy(leafCount: 2, share: 1)
      return try reader.boundedTerm("common", reading).flatMap { try reader.boundedPostings($0, reading) }?
        .documentFrequency
    }
  }

  /// If more leaves must be read than the budget allows, none is read.
  @Test func noLeafIsReadIfBudgetIsTooSmall() throws {
    var random = SeededGenerator(seed: 3)
    let index = try TestIndex(["f0", "f1"])
    try index.command("pgsz", 64)
    try Self.fill(index, rows: 1...300, &random)
    try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) }
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let long = try #require(try reader.boundedTerm("a", LeafReadPolicy(leafCount: 2))).long
      let all = try reader.postings("a", withPositions: false)
      let budgetedReader = BudgetedLeafReader(try reader.leafReader(), budget: 3)
      #expect(throws: BudgetedLeafReader.Exhausted.self) {
        try BoundedPostings(long, others: [(age: 0, postings: all)], columnCount: 2, budgetedReader)
      }
      #expect(budgetedReader.budget == 3)
    }
  }

  /// Compares the results of a random query, and returns whether the search used bounds.
  private static func compare(_ index: TestIndex, _ random: inout SeededGenerator) throws -> Bool {
    let words = ["a", "b", "c", "d", "e", "rare"].shuffled(using: &random)
      .prefix(Int.random(in: 1...3, using: &random))
      .map { CompiledMatch.phrase(CompiledPhrase(positions: [[$0]])) }
    let match = Bool.random(using: &random) ? CompiledMatch.all(words) : .any(words)
    var ranking = Ranking()
    if Bool.random(using: &random) {
      ranking.k1 = [0, 0.5, 2].randomElement(using: &random) ?? 1
      ranking.b = [0.6, 0.75, 0.9].randomElement(using: &random) ?? 1
      ranking.weights = ["f0": [1, 1.2, 0.5].randomElement(using: &random) ?? 1]
    }
    let limit = Int.random(in: 1...8, using: &random)
    let excluded = (0..<3).map { _ in UInt32.random(in: 1...500, using: &random) }.sorted()
    let resolved = try ResolvedRanking(ranking, for: index.index)
    return try index.queue.read { db in
      // Cached results of earlier searches must not be used.
      let fresh = try FullTextCatalog.indexes(of: 1, db)[0]
      let reading = LeafReadPolicy(leafCount: 5, share: 1, termCount: 3)
      guard let search = try BoundedSearch(match, resolved, PostingsReader(fresh, db), reading),
        let found = try search.ranked(limit: limit, excluding: excluded)
      else {
        return false
      }
      let whole = try MatchSearch(match, in: index.index, db)
      #expect(found == whole.ranked(limit: limit, resolved, excluding: excluded))
      if words.count == 1 { #expect(search.documentFrequencies == [whole.count()]) }
      return true
    }
  }

  private static func fill(_ index: TestIndex, rows: ClosedRange<Int>, _ random: inout SeededGenerator) throws {
    try index.write { writer in
      for row in rows {
        let words = (0..<Int.random(in: 1...20, using: &random)).map { _ in
          ["a", "a", "a", "b", "b", "c", "d", "e", "ab", "zz\(Int.random(in: 0..<40, using: &random))"]
            .randomElement(using: &random) ?? ""
        }
        let title = words.prefix(2).joined(separator: " ") + (row % 97 == 0 ? " rare" : "")
        let json = "{\"f0\":\"\(title)\",\"f1\":\"\(words.joined(separator: " "))\"}"
        try writer.insert(index.terms(json), rowID: Int64(row))
        index.documents[Int64(row)] = json
      }
    }
  }
}
