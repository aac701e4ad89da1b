import Foundation
import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Searches by the bounds that are kept with an index, compared with searches that read whole doclists.
@Suite struct BoundedSearchTests {
  /// Tiny pages make long doclists of few documents. Some of the documents are changed or removed after the bounds were
  /// written, segments are merged, as a whole or in part, and bounds are written again.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func hitsAreThoseOfWholeDoclists(seed: UInt64) throws {
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

  /// Rows that go up with every document, as in an import: several segments with bounds.
  @Test func hitsAreThoseOfWholeDoclistsWhenDocumentsAreAppended() throws {
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
  @Test func leavesOfDeleteMarkersAloneArePassedOver() throws {
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

  @Test func theYoungestSegmentHasTheLastWordAlsoWhereItIsTheLongOne() throws {
    let index = try Self.index(
      1...60, removing: 1...60, adding: [("common common common", 1...60), ("common", 61...600)])
    #expect(try Self.best(3, index) == [1, 2, 3])
    #expect(try Self.boundedCount(index) == 600)
  }

  @Test func documentsAreCountedOnceWhateverSegmentsSayOfThem() throws {
    let index = try Self.index(1...60, removing: 1...60, adding: [("common", 61...600)])
    // For two of the rows the long doclist has delete markers, for one a document.
    for row in [5, 6] as [Int64] { try index.insert(row, #"{"f0":"common"}"#) }
    try index.write { try $0.remove(index.terms(#"{"f0":"common"}"#), rowID: 100) }
    #expect(try Self.boundedCount(index) == 541)
  }

  /// With all words a document is found that has lost one of them, if delete markers are taken for documents.
  @Test func aDeleteMarkerIsNoDocument() throws {
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

  /// Neither of two long doclists could be told to have the last word without reading it.
  @Test func longDoclistsWithARowInCommonAreReadAsAWhole() throws {
    let index = try Self.index(
      1...300, removing: 300...300, adding: [("common common common", 300...300), ("common", 301...600)])
    #expect(try Self.boundedCount(index) == nil)
    #expect(try Self.best(2, index) == [300, 1])
  }

  /// An index whose documents were written in two segments. Of the first, which all have the same word, some are
  /// removed by the second.
  private static func index(
    _ first: ClosedRange<Int64>, removing removed: ClosedRange<Int64>, adding second: [(String, ClosedRange<Int64>)]
  ) throws -> TestIndex {
    let index = try TestIndex(["f0"])
    try index.command("pgsz", 64)
    let common = try index.terms(#"{"f0":"common"}"#)
    try index.write { writer in for row in first { try writer.insert(common, rowID: row) } }
    try index.write { writer in
      // In the order of rows: FTS5 begins another segment where they go back.
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

  /// The document frequency of the word according to the bounds; nil if they do not give it.
  private static func boundedCount(_ index: TestIndex) throws -> Int? {
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let reading = LeafReadPolicy(leafCount: 2, share: 1)
      return try reader.boundedTerm("common", reading).flatMap { try reader.boundedPostings($0, reading) }?
        .documentFrequency
    }
  }

  /// Where the leaves to read are too many, none is read in vain.
  @Test func aTermWithManyChangesIsGivenUpBeforeLeavesAreRead() throws {
    var random = SeededGenerator(seed: 3)
    let index = try TestIndex(["f0", "f1"])
    try index.command("pgsz", 64)
    try Self.fill(index, rows: 1...300, &random)
    try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) }
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let long = try #require(try reader.boundedTerm("a", LeafReadPolicy(leafCount: 2))).long
      let all = try reader.postings("a", withPositions: false)
      let readings = BudgetedLeafReader(try reader.leafReader(), budget: 3)
      #expect(throws: BudgetedLeafReader.Exhausted.self) {
        try BoundedPostings(long, others: [(age: 0, postings: all)], columnCount: 2, readings)
      }
      #expect(readings.budget == 3)
    }
  }

  /// Whether the bounds were of use.
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
