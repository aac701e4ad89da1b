import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Matches restricted to some rows, and those that FTS5 has to find, against all matches.
@Suite struct FullTextMatchesTests {
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
  func someRowsAreThoseOfAll(asksFTS5: Bool) throws {
    let index = try FullTextMatchesTests.makeIndex()
    if asksFTS5 { try index.queue.write { try $0.execute(sql: "DROP TABLE concordance_fl_1") } }
    var random = SeededGenerator(seed: 18)
    for text in FullTextMatchesTests.queries {
      let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
      try index.queue.read { db in
        let excluded: [Int64] = [3, 30, 33]
        let matches = try query.matches(db, excluding: "SELECT 3 UNION SELECT 30 UNION SELECT 33")
        let ranked = try query.ranked(db, limit: 1000).filter { !excluded.contains($0.rowID) }
        #expect(matches.best(1000) == ranked, "\(text)")
        #expect(matches.best(7) == Array(ranked.prefix(7)), "\(text)")
        #expect(matches.count == ranked.count && matches.upperBound >= ranked.count)
        #expect(matches.unscored.rows == ranked.map(\.rowID).sorted())
        for count in [0, 1, 20, 300] {
          let wanted = Set((0..<count).map { _ in Int64.random(in: 0...1300, using: &random) })
          let expected = ranked.filter { wanted.contains($0.rowID) }
          #expect(matches.best(1000, among: wanted.sorted()) == expected, "\(text)")
          let all = matches.all(among: wanted.sorted())
          #expect(all.rows == expected.map(\.rowID).sorted(), "\(text)")
          #expect(expected.allSatisfy { hit in all.number(ofRow: hit.rowID).map { all.score($0) } == hit.score })
        }
        for hit in ranked.prefix(20) {
          #expect(matches.explanation(ofRow: hit.rowID)?.score == (asksFTS5 ? nil : hit.score), "\(text)")
        }
        #expect(matches.explanation(ofRow: 1) == nil)
      }
    }
  }

  @Test func nothingIsFoundForNoWord() throws {
    let index = try FullTextMatchesTests.makeIndex()
    let query = try FullTextQuery(.nothing, in: index.index)
    try index.queue.read { db in
      let matches = try query.matches(db)
      #expect(matches.best(5).isEmpty && matches.count == 0 && matches.all.count == 0)
      #expect(matches.best(5, among: [3, 6]).isEmpty)
    }
  }
}
