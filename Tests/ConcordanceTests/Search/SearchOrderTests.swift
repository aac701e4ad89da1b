import Concordance
import Foundation
import Testing

/// Hits that are not sorted by score, and the number of matches.
@Suite struct SearchOrderTests {
  private static let corpus = Swift.Result { () throws -> RandomCorpus in
    let corpus = try RandomCorpus(seed: 11, count: 1200)
    try corpus.collection.createIndex(withName: "by_price", config: ValueIndexConfiguration(["price"]))
    return corpus
  }

  @Test(arguments: [nil, "price > 30"] as [String?])
  func termsFirstThenScores(condition: String?) throws {
    let corpus = try SearchOrderTests.corpus.get()
    let all = try corpus.ranked("common").filter { hit in
      condition == nil || (corpus.entries[hit.id]?.price ?? 0) > 30
    }
    let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
    func price(_ hit: SearchHit) -> Double { corpus.entries[hit.id]?.price ?? -1 }
    let expected = all.sorted { one, other in
      price(one) == price(other) ? (places[one.id] ?? 0) < (places[other.id] ?? 0) : price(one) > price(other)
    }
    var request = SearchRequest("common")
    request.where = condition.map { SearchFilter($0) }
    request.sort = "price DESC"
    (request.limit, request.offset) = (30, 4)
    let found = try corpus.collection.search(request)
    #expect(found.hits.map(\.id) == expected[4..<34].map(\.id))
    #expect(found.hits.map(\.score) == expected[4..<34].map(\.score))
    #expect(found.hits.first?.rank == 5)
    #expect(found.total == .exact(all.count))
    request.sort = SearchOrder(Ordering.property("price").descending())
    #expect(try corpus.collection.search(request).hits.map(\.id) == found.hits.map(\.id))
  }

  @Test func scoreCanBeASortTerm() throws {
    let corpus = try SearchOrderTests.corpus.get()
    let all = try corpus.ranked("usual")
    var request = SearchRequest("usual")
    request.sort = "RANK(search), META().id"
    request.limit = 5
    let least = try #require(all.last?.score)
    let found = try corpus.collection.search(request).hits
    #expect(found.map(\.score) == all.suffix(5).map(\.score).reversed())
    #expect(found.first?.id == all.filter { $0.score == least }.map(\.id).min())
    request.sort = "META().id"
    request.facets = ["kind"]
    #expect(try corpus.collection.search(request).hits.map(\.id) == Array(all.map(\.id).sorted().prefix(5)))
  }

  private static let constants = [
    "TRUE", "'x'", "1", "2 DESC", "(2)", "-1", "NULL", "MISSING", "[1]", "1 COLLATE NOCASE", "1 + 0", "NOT FALSE",
    "1 = 1",
    "TRUE AND TRUE", "CASE WHEN TRUE THEN 2 ELSE 3 END", "IFNULL(2, 3)", "nosuch", "1, 2 DESC, nosuch",
  ]

  @Test(arguments: SearchOrderTests.constants) func equalSortValuesAreOrderedByScore(order: String) throws {
    let corpus = try SearchOrderTests.corpus.get()
    let expected = try corpus.ranked("common")[3..<23]
    var request = SearchRequest("common")
    (request.sort, request.limit, request.offset) = (SearchOrder(order), 20, 3)
    let found = try corpus.collection.search(request)
    #expect(found.hits.map(\.id) == expected.map(\.id))
    #expect(found.hits.map(\.score) == expected.map(\.score))
  }

  private static let aggregates: [SearchOrder] = [
    "SUM(price)", "COUNT(*)", "price, ARRAY_AGG(price) DESC", "1 + MAX(price)",
    SearchOrder(Ordering.expression(Function.sum(Expression.property("price")))),
  ]

  @Test(arguments: SearchOrderTests.aggregates) func aggregateIsRejectedAsOrder(order: SearchOrder) throws {
    let corpus = try SearchOrderTests.corpus.get()
    var request = SearchRequest("common")
    request.sort = order
    let reason = "is an aggregate function, which is not allowed in the sort order of documents"
    expectError(CBLError.invalidQuery, reason) {
      _ = try corpus.collection.search(request)
    }
  }

  @Test func errorsAreReported() throws {
    let corpus = try SearchOrderTests.corpus.get()
    for (order, place) in [("price DESK", "^"), ("", "an expression"), ("price,", "^"), ("RANK(nope)", "nope")] {
      var request = SearchRequest("common")
      request.sort = SearchOrder(order)
      expectError(order.contains("nope") ? CBLError.missingIndex : CBLError.invalidQuery, place) {
        _ = try corpus.collection.search(request)
      }
    }
  }

  /// If counting is expensive, a page after the last hit reports the number of hits, not the number of skipped rows.
  @Test func skippedRowsAreNotCounted() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let word = String(repeating: "ab", count: 30)
    for number in 0..<1800 { try files.save("d\(number)", "{\"text\":\"\(word)\"}") }
    // 60 prefixes with 1,800 documents each: more postings than are counted by default.
    var request = SearchRequest((1...60).map { word.prefix($0) + "*" }.joined(separator: " OR "))
    request.limit = 5
    #expect(try files.collection.search(request).total == .atLeast(5))
    request.offset = 1_000_000
    #expect(try files.collection.search(request).total == .exact(1800))
    request.limit = 0
    #expect(try files.collection.search(request).total == .atLeast(0))
  }

  @Test func totalsAreExactIfCheapOrRequested() throws {
    let corpus = try SearchOrderTests.corpus.get()
    for query in ["common", "common usual", "rare OR third", "nothing", "common -usual"] {
      let count = try corpus.ranked(query).count
      var request = SearchRequest(query)
      for counting in [SearchRequest.Counting.whenCheap, .exact] {
        request.counting = counting
        #expect(try corpus.collection.search(request).total == .exact(count))
      }
      request.offset = 5000
      #expect(try corpus.collection.search(request).total == .exact(count))
    }
    #expect("\(SearchTotal.exact(3)) \(SearchTotal.atLeast(4))" == "3 4+")
  }
}
