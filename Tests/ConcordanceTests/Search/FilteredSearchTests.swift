import Concordance
import Foundation
import TestSupport
import Testing

/// A filtered search returns the hits of the unfiltered search that satisfy the filter.
@Suite struct FilteredSearchTests {
  typealias Entry = RandomCorpus.Entry

  private static let corpus = Swift.Result { () throws -> RandomCorpus in
    let corpus = try RandomCorpus(seed: 7, count: 3000)
    try corpus.collection.createIndex(withName: "by_price", config: ValueIndexConfiguration(["price"]))
    try corpus.collection.createIndex(withName: "in_text", config: PatternIndexConfiguration(["text"]))
    return corpus
  }

  private struct Condition: Sendable, CustomStringConvertible {
    let description: String
    let holds: @Sendable (Entry) -> Bool

    init(_ text: String, _ holds: @escaping @Sendable (Entry) -> Bool) {
      description = text
      self.holds = holds
    }
  }

  /// Conditions that use a value index, a scan, ids, a pattern index, the full-text index, or several of them, for few
  /// and many documents.
  private static let conditions: [Condition] = [
    Condition("price = 7.25") { $0.price == 7.25 },
    Condition("price >= 2") { ($0.price ?? -1) >= 2 },
    Condition("price BETWEEN 10 AND 20 AND kind = 'bar'") {
      (10...20).contains($0.price ?? 0) && $0.kind == "bar"
    },
    Condition("kind = 'hotel'") { $0.kind == "hotel" },
    Condition("kind IS NOT NULL") { $0.kind != nil },
    Condition("ANY a IN reviews SATISFIES a.author = 'author 3' END") { $0.authors.contains("author 3") },
    Condition("META().id IN ['d1', 'd2', 'd3', 'd4', 'd5']") { ["d1", "d2", "d3", "d4", "d5"].contains($0.id) },
    Condition("REGEXP_CONTAINS(text, 'rare rare rare')") { $0.words.joined(separator: " ").contains("rare rare rare") },
    Condition("text LIKE '%usual%'") { $0.words.contains("usual") },
    Condition("MATCH(search, 'third')") { $0.words.contains("third") },
    Condition("price < 5 OR MATCH(search, 'seldom AND other')") {
      ($0.price ?? 5) < 5 || ($0.words.contains("seldom") && $0.words.contains("other"))
    },
    Condition("NOT MATCH(search, 'common')") { !$0.words.contains("common") },
    Condition("FALSE") { _ in false },
  ]

  private static let queries = ["common", "common usual", "rare OR third", "usual -often", "\"common usual\"", "r*"]

  @Test(arguments: queries)
  func hitsAreThoseThatPass(query: String) throws {
    let corpus = try FilteredSearchTests.corpus.get()
    let all = try corpus.ranked(query)
    for condition in FilteredSearchTests.conditions {
      let expected = all.filter { hit in corpus.entries[hit.id].map { condition.holds($0) } ?? false }
      for (offset, limit, counting) in [(0, 5, SearchRequest.Counting.whenCheap), (3, 40, .exact), (0, 5000, .exact)] {
        var request = SearchRequest(query)
        request.where = SearchFilter(condition.description)
        // The filter may affect whether the query is relaxed.
        request.relaxes = false
        (request.offset, request.limit, request.snippetCount) = (offset, limit, 0)
        request.counting = counting
        let found = try corpus.collection.search(request)
        let page = expected.dropFirst(offset).prefix(limit)
        #expect(found.hits.map(\.id) == page.map(\.id), "\(query) where \(condition)")
        #expect(found.hits.map(\.score) == page.map(\.score), "\(query) where \(condition)")
        #expect(found.hits.map(\.rank) == Array((offset + 1)..<(offset + 1 + page.count)))
        switch found.total {
        case .exact(let count): #expect(count == expected.count, "\(query) where \(condition)")
        case .atLeast(let count):
          #expect(counting == .whenCheap)
          #expect((page.count...expected.count).contains(count), "\(query) where \(condition)")
        }
        #expect(try corpus.collection.count(matching: request) == expected.count, "\(query) where \(condition)")
      }
    }
  }

  /// A pattern index lists candidates, each of which must be tested.
  @Test func onlyTheBestMatchesAreTestedForACommonPattern() throws {
    let corpus = try FilteredSearchTests.corpus.get()
    var request = SearchRequest("common")
    request.where = "text LIKE '%usual%'"
    (request.limit, request.relaxes) = (3, false)
    let found = try corpus.collection.search(request)
    #expect(found.hits.count == 3)
    let all = try corpus.collection.count(matching: request)
    guard case .atLeast(let count) = found.total else {
      Issue.record("all \(all) documents were tested")
      return
    }
    #expect(count < all / 2)
  }

  @Test func parametersAndExpressionsOfTheBuilder() throws {
    let corpus = try FilteredSearchTests.corpus.get()
    var request = SearchRequest("common")
    request.where = "price < 20 AND kind = 'bar'"
    let expected = try corpus.collection.search(request).hits.map(\.id)
    #expect(!expected.isEmpty)
    let parameters = Parameters().setInt(20, forName: "most").setString("bar", forName: "kind")
    request.where = SearchFilter("price < $most AND kind = $kind", parameters: parameters)
    #expect(try corpus.collection.search(request).hits.map(\.id) == expected)
    let expression = Expression.property("price").lessThan(Expression.parameter("most"))
      .and(Expression.property("_default.kind").equalTo(Expression.string("bar")))
    request.where = SearchFilter(expression, parameters: parameters)
    #expect(try corpus.collection.search(request).hits.map(\.id) == expected)
  }

  @Test func manyDocumentsAreTestedByThreads() throws {
    let corpus = try RandomCorpus(seed: 8, count: 10_500)
    var request = SearchRequest("common OR usual OR often")
    request.limit = 100_000
    request.snippetCount = 0
    let all = try corpus.collection.search(request).hits
    #expect(all.count > 8192)
    request.where = "kind = 'hotel' AND price > 3"
    request.limit = 20
    request.counting = .exact
    request.facets = ["tags"]
    let expected = all.filter { hit in
      corpus.entries[hit.id].map { $0.kind == "hotel" && ($0.price ?? 0) > 3 } ?? false
    }
    let found = try corpus.collection.search(request)
    #expect(found.hits.map(\.id) == expected.prefix(20).map(\.id))
    #expect(found.total == .exact(expected.count))
    request.where = nil
    let facet = try #require(try corpus.collection.search(request).facets.first)
    for count in facet.values {
      let documents = all.count { corpus.entries[$0.id]?.values("tags").contains(count.value) ?? false }
      #expect(count.count == documents, "\(count.value)")
    }
  }

  @Test func batchSeesItsOwnChanges() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.database.inBatch {
      try files.save("a", #"{"text":"word","n":1}"#)
      try files.save("b", #"{"text":"word","n":2}"#)
      var request = SearchRequest("word")
      request.where = "n > 1"
      request.facets = ["n"]
      let found = try files.collection.search(request)
      #expect(found.hits.map(\.id) == ["b"])
      #expect(found.facets.first?.values.map { "\($0.value): \($0.count)" } == ["2: 1"])
    }
  }

  @Test func errorsAreReported() throws {
    let corpus = try FilteredSearchTests.corpus.get()
    func expect(_ filter: SearchFilter, _ code: Int, _ message: String) {
      var request = SearchRequest("common")
      request.where = filter
      expectError(code, message) { _ = try corpus.collection.search(request) }
      expectError(code, message) { _ = try corpus.collection.count(matching: request) }
    }
    expect("price < < 3", CBLError.invalidQuery, "price < < 3\n          ^")
    expect("", CBLError.invalidQuery, "an expression")
    expect("price < $most", CBLError.invalidQueryParam, "$most")
    expect("MATCH(nope, 'a')", CBLError.missingIndex, "nope")
    expect("REGEXP_CONTAINS(text, '(')", CBLError.invalidQuery, "(")
    expect("COUNT(*) > 1", CBLError.invalidQuery, "COUNT")
    struct Foreign: ExpressionProtocol { let description = "" }
    expect(SearchFilter(Foreign()), CBLError.invalidQuery, "Foreign")
  }
}
