import Concordance
import Testing

@Suite struct FusionExplanationTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.save("a", #"{"text":"green tea green tea leaves"}"#)
    try files.save("b", #"{"text":"coffee beans and a pot of tea"}"#)
    try files.save("c", #"{"text":"coffee coffee roasted beans"}"#)
  }

  private func requests(explaining: Bool = true) -> [SearchRequest] {
    ["tea", "coffee", "roasted beans"].map { query in
      var request = SearchRequest(query)
      request.explains = explaining
      return request
    }
  }

  @Test(arguments: [.reciprocalRank(), .reciprocalRank(k: 1), .scoreSum, .scoreSumTimesCount] as [RunFusion])
  func partsAddUpToTheScore(method: RunFusion) throws {
    let requests = requests()
    let weights = [1, 0.5, 1]
    let hits = try files.collection.search(fusing: requests, by: method, weights: weights)
    #expect(Set(hits.map(\.id)) == ["a", "b", "c"])
    for hit in hits {
      let fusion = try #require(hit.fusion)
      let sum = fusion.parts.reduce(0) { $0 + $1.summand }
      let factor = method == .scoreSumTimesCount ? Double(fusion.parts.count) : 1
      #expect(fusion.method == method)
      #expect(fusion.score == hit.score)
      #expect(sum * factor == hit.score)
      for part in fusion.parts {
        let weight = part.search == 1 ? 0.5 : 1.0
        #expect(part.weight == weight)
        let single = try files.collection.search(requests[part.search]).hits
        let found = try #require(single.first { $0.id == hit.id })
        #expect(found.rank == part.rank)
        #expect(found.score == part.score)
        #expect(part.explanation?.score == part.score)
      }
      let searches = try requests.indices.filter { number in
        try files.collection.search(requests[number]).hits.contains { $0.id == hit.id }
      }
      #expect(fusion.parts.map(\.search) == searches)
    }
  }

  @Test(arguments: [[1], [1, 1, 1, 1], [1, -1, 1], [1, .nan, 1], [.infinity, 1, 1], [1, 1e300, 1]] as [[Double]])
  func invalidWeightsAreErrors(weights: [Double]) {
    expectError(CBLError.invalidParameter, "weight") {
      _ = try files.collection.search(fusing: requests(), weights: weights)
    }
  }

  @Test(arguments: [-1, .nan, .infinity] as [Double]) func invalidConstantsAreErrors(k: Double) {
    expectError(CBLError.invalidParameter) {
      _ = try files.collection.search(fusing: requests(), by: .reciprocalRank(k: k))
    }
  }

  @Test func fusionsAreExplainedOnRequest() throws {
    #expect(try files.collection.search(fusing: requests(explaining: false)).allSatisfy { $0.fusion == nil })
    var mixed = requests(explaining: false)
    mixed[0].explains = true
    let hits = try files.collection.search(fusing: mixed)
    #expect(hits.allSatisfy { $0.fusion != nil })
    let parts = hits.flatMap { $0.fusion?.parts ?? [] }
    #expect(parts.allSatisfy { ($0.explanation != nil) == ($0.search == 0) })
    #expect(try files.collection.search(SearchRequest("tea")).hits.allSatisfy { $0.fusion == nil })
  }

  @Test func canonicallyEquivalentIDsAreDifferentHits() throws {
    try files.save("\u{E9}", #"{"text":"matcha powder"}"#)
    try files.save("e\u{301}", #"{"text":"matcha"}"#)
    let requests = [SearchRequest("matcha"), SearchRequest("powder")]
    let hits = try files.collection.search(fusing: requests)
    #expect(Set(hits.map { Array($0.id.utf8) }).count == 2 && hits.count == 2)
    for hit in hits { #expect(hit.document.string(forKey: "text")?.hasSuffix("powder") == (hit.id.utf8.count == 2)) }
  }
}
