import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Phrases do not match across the boundary between two values of a field.
@Suite struct ValueBoundaryTests {
  private static func index() throws -> TestIndex {
    let index = try TestIndex(["*"])
    try index.insert(1, #"{"city":"new york","motto":"city that never sleeps","tags":["red apple","","pie crust"]}"#)
    try index.insert(2, #"{"tags":["apple pie","york city"],"n":5}"#)
    return index
  }

  @Test(
    arguments: [
      ("\"york city\"", [2]), ("\"apple pie\"", [2]), ("\"new york\"", [1]), ("york city", [1, 2]),
      ("NEAR(york city, 0)", [2]),
      ("NEAR(york city, 1)", [1, 2]), ("\"apple pie*\"", [2]), ("apple + pie *", [2]),
    ] as [(String, [Int64])])
  func phrasesDoNotCrossValues(query: String, rows: [Int64]) throws {
    let index = try Self.index()
    #expect(try index.search(query).sorted() == rows)
    #expect(try index.fts5FallbackSearch(MatchParser().parse(query)) == rows)
    #expect(try index.problem() == nil)
  }

  @Test func highlightsDoNotCrossValues() throws {
    let index = try Self.index()
    let json = #"{"tags":["red apple","pie crust","apple pie"]}"#
    #expect(try index.highlight("\"apple pie\"", json).matches.map(\.path) == ["tags[2]"])
    let near = try index.highlight("NEAR(apple pie, 1)", json).matches.map(\.path)
    #expect(near == ["tags[0]", "tags[1]", "tags[2]", "tags[2]"])
  }

  @Test func boundariesAreNotListedAsTerms() throws {
    let index = try Self.index()
    let terms = try index.queue.read { try index.index.terms(order: .term, $0).map(\.text) }
    #expect(terms == ["apple", "city", "crust", "never", "new", "pie", "red", "sleeps", "that", "york"])
    let lengths = try index.queue.read { try index.index.cache.state(of: index.index, $0).lengths }
    #expect([1, 2].map { lengths.column(0)($0) } == [13, 5])
  }
}
