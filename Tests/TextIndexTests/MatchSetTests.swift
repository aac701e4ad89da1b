import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares matches restricted to some rows with all matches, found in posting lists or by FTS5.
@Suite struct MatchSetTests {
  private static let queries = [
    "a", "a AND b", "a OR b OR c OR d", "(a OR b) AND (c OR d)", "a NOT b", "\"a b\"", "NEAR(a b, 3) OR d", "x*",
    "(a OR c) NOT (b OR \"a c\")",
  ]

  private static func makeIndex() throws -> TestIndex {
    let index = try TestIndex(["text"])
    var random = SeededGenerator(seed: 17)
    for row in 1...400 as ClosedRange<Int64> {
      let words = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        ["a", "a", "b", "c", "d", "xa", "xb"].randomElement(using: &random) ?? ""
      }
      try index.insert(row * 3, "{\"text\":\"\(words.joined(separator: " "))\"}")
    }
    return index
  }

  @Test(arguments: [false, true])
  func restrictedMatchesAgreeWithAllMatches(usesFTS5: Bool) throws {
    let index = try MatchSetTests.makeIndex()
    if usesFTS5 { try index.queue.write { try $0.execute(sql: "DROP TABLE concordance_fl_1") } }
    var random = SeededGenerator(seed: 18)
    for text in MatchSetTests.queries {
      let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
      try index.queue.read { db in
        let excluded: [Int64] = [3, 30, 33]
        let matches = try query.matches(db, excluding: [3, 33, 30])
        let ranked = try query.ranked(db, limit: 1000).filter { !excluded.contains($0.rowID) }
        #expect(try matches.best(1000) == ranked, "\(text)")
        #expect(try matches.best(7) == Array(ranked.prefix(7)), "\(text)")
        #expect(try matches.count == ranked.count && matches.upperBound >= ranked.count)
        #expect(try matches.rows().rows == ranked.map(\.rowID).sorted())
        for count in [0, 1, 20, 300] {
          let wanted = Set((0..<count).map { _ in Int64.random(in: 0...1300, using: &random) })
          let expected = ranked.filter { wanted.contains($0.rowID) }
          #expect(try matches.best(1000, among: wanted.sorted()) == expected, "\(text)")
          let all = try matches.scoredRows(among: wanted.sorted())
          #expect(all.rows == expected.map(\.rowID).sorted(), "\(text)")
          #expect(expected.allSatisfy { hit in all.number(ofRow: hit.rowID).map { all.score($0) } == hit.score })
        }
        for hit in ranked.prefix(20) {
          #expect(try matches.explanation(ofRow: hit.rowID)?.score == (usesFTS5 ? nil : hit.score), "\(text)")
        }
        #expect(try matches.explanation(ofRow: 1) == nil)
        #expect(try !matches.contains(row: 1) && !matches.contains(row: 30))
        #expect(try ranked.allSatisfy { try matches.contains(row: $0.rowID) })
      }
    }
  }

  @Test func emptyQueryMatchesNothing() throws {
    let index = try MatchSetTests.makeIndex()
    let query = try FullTextQuery(.nothing, in: index.index)
    try index.queue.read { db in
      let matches = try query.matches(db)
      #expect(try matches.best(5).isEmpty && matches.count == 0 && matches.scoredRows().count == 0)
      #expect(try matches.best(5, among: [3, 6]).isEmpty)
    }
  }

  /// The order of calls does not change their results.
  @Test(arguments: [31, 32, 33] as [UInt64]) func orderOfCallsDoesNotMatter(seed: UInt64) throws {
    let index = try MatchSetTests.makeIndex()
    try index.queue.write { try FullTextCatalog.writeBounds(of: index.index, $0) }
    var random = SeededGenerator(seed: seed)
    for text in MatchSetTests.queries {
      let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
      try index.queue.read { db in
        let expected = try query.matches(db).scoredRows()
        let best = (0..<expected.count).map { expected.match($0) }.sorted { $0.isBetter(than: $1) }
        let matches = try query.matches(db)
        for _ in 0..<12 {
          switch Int.random(in: 0..<6, using: &random) {
          case 0: #expect(try matches.count == expected.count, "\(text)")
          case 1: #expect(try matches.rows().rows == expected.rows, "\(text)")
          case 2: #expect(try matches.scoredRows(among: [3, 9, 30]).rows == expected.filtered(among: [3, 9, 30]).rows)
          case 3: #expect(try matches.upperBound >= expected.count && matches.countingCost >= 0)
          case 4: #expect(try matches.contains(row: 9) == (expected.number(ofRow: 9) != nil))
          default:
            let limit = Int.random(in: 0...40, using: &random)
            #expect(try matches.best(limit) == Array(best.prefix(limit)), "\(text)")
          }
        }
      }
    }
  }

  /// A set that was loaded no longer reads the index.
  @Test func loadedSetSurvivesIndexChanges() throws {
    let index = try MatchSetTests.makeIndex()
    for text in MatchSetTests.queries {
      let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
      try index.queue.writeWithoutTransaction { db in
        let expected = try query.matches(db).best(1000)
        let matches = try query.matches(db)
        try matches.load()
        try db.inTransaction {
          try db.execute(sql: "DELETE FROM \(index.index.tableName)_data")
          #expect(try matches.best(1000) == expected && matches.count == expected.count, "\(text)")
          return .rollback
        }
      }
    }
  }
}
