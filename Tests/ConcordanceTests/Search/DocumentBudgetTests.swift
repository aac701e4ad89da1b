@_spi(Command) import Concordance
import TestSupport
import Testing

/// The size of the documents that hits keep.
@Suite struct DocumentBudgetTests {
  private let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    for number in 0..<3 { try test.save("d\(number)", #"{"title":"Tea \#(number)","text":"green tea"}"#) }
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
  }

  @Test(arguments: [0, 1]) func hitsAfterTheBudgetHaveNoDocument(snippetCount: Int) throws {
    var request = SearchRequest("tea")
    request.snippetCount = snippetCount
    let all = try test.collection.search(request).hits
    #expect(all.count == 3 && all.allSatisfy(\.hasDocument))
    let size = try #require(all.first).document.toJSON().utf8.count
    for (budget, kept) in [(0, 0), (size, 1), (2 * size + 1, 2), (3 * size, 3)] {
      request.documentBudget = budget
      let hits = try test.collection.search(request).hits
      #expect(hits.map(\.hasDocument) == (0..<3).map { $0 < kept })
      #expect(hits.dropFirst(kept).allSatisfy { $0.document.toJSON() == "{}" })
      #expect(hits.map(\.id) == all.map(\.id) && hits.map(\.title) == all.map(\.title))
      #expect(hits.map(\.matches) == all.map(\.matches) && hits.map(\.snippets) == all.map(\.snippets))
      #expect(hits.map(\.document.revisionID) == all.map(\.document.revisionID))
    }
  }
}
