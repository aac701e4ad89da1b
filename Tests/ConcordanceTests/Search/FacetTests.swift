import Concordance
import Foundation
import TestSupport
import Testing

/// Facets, compared with counts over all documents.
@Suite struct FacetTests {
  private static let corpora = Swift.Result { () throws -> [RandomCorpus] in
    let plain = try RandomCorpus(seed: 3, count: 1500)
    let indexed = try RandomCorpus(seed: 3, count: 1500)
    for property in ["kind", "tags", "price"] {
      try indexed.collection.createIndex(withName: "by_" + property, config: ValueIndexConfiguration([property]))
    }
    return [plain, indexed]
  }

  private static let ordered: [FacetValue] = [
    false, true, .double(.nan), .double(-.infinity), -1, 0, 0.5, 1, 9_007_199_254_740_992,
    .integer(9_007_199_254_740_993), .integer(.max), .double(0x1p63), "", "1", "B", "a", "\u{e9}", "\u{fb01}",
  ]

  @Test func valuesHaveOneOrder() {
    for (place, value) in FacetTests.ordered.enumerated() {
      for (other, second) in FacetTests.ordered.enumerated() {
        #expect((value < second) == (place < other) && (value == second) == (place == other), "\(value) \(second)")
      }
    }
    #expect(Set(FacetTests.ordered).count == FacetTests.ordered.count)
    for (one, other) in [(FacetValue.integer(1), .double(1)), (.integer(0), .double(-0.0))]
      as [(FacetValue, FacetValue)]
    {
      #expect(one == other && !(one < other) && !(other < one) && Set([one, other]).count == 1)
    }
    #expect(FacetValue.string("e\u{301}") != .string("\u{e9}"))
  }

  private static let properties = ["kind", "tags", "tags[]", "price", "reviews[].author"]

  private static let selections: [[String: [FacetValue]]] = [
    [:], ["kind": ["hotel"]], ["kind": ["hotel", 1], "tags": [true]],
    ["kind": ["b\"öA"], "reviews[].author": ["author 3"]],
    ["tags": [2.5, "true"], "price": [3, 4.5]], ["kind": ["nowhere"]], ["kind": []],
  ]

  @Test(arguments: selections)
  func countsAreThoseOfAllDocuments(selections: [String: [FacetValue]]) throws {
    for (corpus, condition) in zip(try FacetTests.corpora.get(), [nil, "price < 50"] as [String?]) {
      let all = try corpus.ranked("common").compactMap { corpus.entries[$0.id] }
        .filter { condition == nil || ($0.price ?? 50) < 50 }
      func selected(besides property: String?) -> [RandomCorpus.Entry] {
        all.filter { entry in
          selections.allSatisfy { $0.key == property || !entry.values($0.key).isDisjoint(with: $0.value) }
        }
      }
      var request = SearchRequest("common")
      request.where = condition.map { SearchFilter($0) }
      request.selections = selections
      request.facets = FacetTests.properties.map { FacetRequest($0, limit: 5) }
      request.limit = 7
      let found = try corpus.collection.search(request)
      #expect(found.total == .exact(selected(besides: nil).count))
      #expect(found.hits.map(\.id) == selected(besides: nil).prefix(7).map(\.id))
      #expect(try corpus.collection.count(matching: request) == selected(besides: nil).count)
      #expect(found.facets.map(\.property) == FacetTests.properties)
      for facet in found.facets {
        // `tags[]` and `tags` are different paths; a facet ignores only the selections of its own path.
        let documents = selected(besides: facet.property)
        var counts: [FacetValue: Int] = [:]
        for document in documents {
          for value in document.values(facet.property) { counts[value, default: 0] += 1 }
        }
        let sorted = counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        #expect(facet.values.map(\.value) == sorted.prefix(5).map(\.key), "\(facet.property)")
        #expect(facet.values.map(\.count) == sorted.prefix(5).map(\.value), "\(facet.property)")
        #expect(facet.otherValueCount == max(0, counts.count - 5))
        #expect(facet.documentCount == documents.count { !$0.values(facet.property).isEmpty })
        let numbers = counts.keys.compactMap { Double($0.numberText) }
        #expect(facet.minimum == numbers.min() && facet.maximum == numbers.max(), "\(facet.property)")
      }
    }
  }

  @Test func stringsAreDistinguishedByBytes() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    // Composed, decomposed, with an escape, and U+0000.
    for (number, value) in ["\u{E9}", "e\u{301}", "\\u00e9", "\\u0000", ""].enumerated() {
      try files.save("d\(number)", "{\"text\":\"word\",\"v\":\"\(value)\"}")
    }
    var request = SearchRequest("word")
    request.facets = ["v"]
    let facet = try #require(try files.collection.search(request).facets.first)
    #expect(facet.values.map { Array("\($0.value)".utf8) } == [[0xC3, 0xA9], [], [0], [0x65, 0xCC, 0x81]])
    #expect(facet.values.map(\.count) == [2, 1, 1, 1])
    request.selections = ["v": ["e\u{301}"]]
    #expect(try files.collection.search(request).hits.map(\.id) == ["d1"])
  }

  @Test func manyValuesAreCountedAndFewListed() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.database.inBatch {
      for number in 0..<700 {
        let values = (0...number % 50).map { "\($0 * 3)" }.joined(separator: ",")
        try files.save("d\(number)", "{\"text\":\"word\",\"v\":[\(values)],\"n\":\(number)}")
      }
    }
    var request = SearchRequest("word")
    request.facets = [FacetRequest("v", limit: 2), FacetRequest("n", limit: 0)]
    let facets = try files.collection.search(request).facets
    #expect(facets[0].values.map { "\($0.value): \($0.count)" } == ["0: 700", "3: 686"])
    #expect(facets[0].otherValueCount == 48)
    #expect(facets[1].values.isEmpty && facets[1].otherValueCount == 700)
    #expect(facets[1].minimum == 0 && facets[1].maximum == 699)
  }

  @Test func errorsAreReported() throws {
    let corpus = try FacetTests.corpora.get()[0]
    var request = SearchRequest("common")
    request.facets = [FacetRequest("kind", limit: -1)]
    expectError(CBLError.invalidParameter, "\"kind\" is -1") { _ = try corpus.collection.search(request) }
    request.facets = ["a..b"]
    expectError(CBLError.invalidParameter, "a..b") { _ = try corpus.collection.search(request) }
    request.facets = []
    request.selections = ["a[": [1]]
    expectError(CBLError.invalidParameter, "a[") { _ = try corpus.collection.search(request) }
  }
}

extension FacetValue {
  /// The digits of a number; no digits for another type.
  fileprivate var numberText: String {
    switch self {
    case .integer, .double: "\(self)"
    case .boolean, .string: ""
    }
  }
}
