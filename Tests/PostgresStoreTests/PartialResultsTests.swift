import Concordance
import Foundation
import PostgresStore
import TestSupport
import Testing

/// Searches of a database on several servers while one of them is down.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PartialResultsTests {
  private static let words = ["harbour", "sea", "ship", "storm", "anchor", "wave", "crew", "the"]

  private static func document(_ number: Int) -> MutableDocument {
    var random = SeededGenerator(seed: UInt64(number))
    let text = (0..<(4 + number % 17)).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    return MutableDocument(
      id: "doc\(number)", data: ["title": "number \(number)", "text": text, "kind": "k\(number % 3)"])
  }

  private static func fill(_ database: Database, where isIncluded: (String) -> Bool) throws {
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title", "text"]))
    try collection.createIndex(withName: "kinds", config: ValueIndexConfiguration(["kind"]))
    try database.inBatch {
      for number in 0..<200 {
        let document = document(number)
        if isIncluded(document.id) { try collection.save(document: document) }
      }
    }
  }

  /// Two servers with 8 shards, and a database on them with 200 documents.
  private struct Servers {
    let first: TemporaryCluster
    let second: TemporaryCluster
    let database: Database

    init() throws {
      (first, second) = (try TemporaryCluster(), try TemporaryCluster())
      try Database.initialize(urls: [first.url(), second.url()], shards: 8)
      database = try Database(url: first.url())
      try fill(database) { _ in true }
    }

    static func isOnFirst(_ id: String) -> Bool { (ShardLayout(count: 8)?.shard(ofID: id) ?? 8) < 4 }
  }

  private static let requests: [SearchRequest] = {
    func request(_ query: String) -> SearchRequest {
      var request = SearchRequest(query)
      // More than there are, because documents with equal scores are in another order in a file.
      request.limit = 300
      request.counting = .exact
      return request
    }
    var requests = ["harbour", "storm anchor", "\"the sea\"", "wave -crew", "sh*", "harbor", "*"].map(request)
    for number in requests.indices { requests[number].facets = [FacetRequest("kind")] }
    var filtered = request("ship")
    filtered.where = "kind = 'k1'"
    filtered.explains = true
    var sorted = request("ship")
    sorted.sort = "title DESC"
    var distinct = request("ship")
    distinct.groupsDuplicates = true
    return requests + [filtered, sorted, distinct]
  }()

  /// The hits with their scores, facets and the total, independent of the order of equal scores.
  private static func summary(_ results: SearchResults) -> [String] {
    results.hits.map { hit in
      let explanation = hit.explanation.map { " \($0)" } ?? ""
      return "\(hit.id) \((hit.score * 1e9).rounded()) \(hit.snippets.map(\.text))\(explanation)"
    }.sorted() + results.facets.map { "\($0)" } + ["\(results.total.value)"]
  }

  @Test func resultsAreThoseOfTheOtherServers() throws {
    let servers = try Servers()
    let collection = try servers.database.defaultCollection()
    let complete = try PartialResultsTests.requests.map { try collection.search($0) }
    try servers.second.stopImmediately()
    // The documents of the first server in a file.
    let path = NSTemporaryDirectory() + "partial-\(UUID().uuidString).concord"
    let file = try Database(path: path)
    defer { try? file.delete() }
    try PartialResultsTests.fill(file, where: Servers.isOnFirst)
    for request in PartialResultsTests.requests {
      let error = #expect(throws: CBLError.self) { _ = try collection.search(request) }
      #expect(error?.message.contains("node 2 of 2, with the shards 4 to 7, is not available") == true)
      var partial = request
      partial.allowsPartialResults = true
      let found = try collection.search(partial)
      let expected = try file.defaultCollection().search(request)
      #expect(PartialResultsTests.summary(found) == PartialResultsTests.summary(expected), "\(request.query)")
      guard case .atLeast = found.total else {
        Issue.record("the total of \(request.query) is not a lower bound")
        continue
      }
      let missing = try #require(found.missingServers.first)
      #expect(found.missingServers.count == 1 && missing.number == 2)
      #expect(missing.firstShard == 4 && missing.lastShard == 7 && missing.message.contains("is not available"))
    }
    try servers.second.start()
    // Nothing that was found without the second server is used again.
    for (request, before) in zip(PartialResultsTests.requests, complete) {
      var partial = request
      partial.allowsPartialResults = true
      let after = try collection.search(partial)
      #expect(PartialResultsTests.summary(after) == PartialResultsTests.summary(before), "\(request.query)")
      #expect(after.total == before.total && after.missingServers.isEmpty)
      #expect(try PartialResultsTests.summary(collection.search(request)) == PartialResultsTests.summary(before))
    }
  }

  @Test func aDatabaseIsOpenedWithoutAServer() throws {
    let servers = try Servers()
    try servers.second.stopImmediately()
    let database = try Database(url: servers.first.url())
    let collection = try database.defaultCollection()
    #expect(try collection.indexes().sorted() == ["kinds", "search"])
    var request = SearchRequest("harbour")
    request.allowsPartialResults = true
    #expect(try collection.search(request).missingServers.map(\.number) == [2])
    #expect(throws: CBLError.self) { _ = try collection.count(matching: request) }
    #expect(throws: CBLError.self) { _ = try collection.search(fusing: [request, SearchRequest("sea")]) }
    #expect(throws: CBLError.self) { try database.inBatch { _ = try collection.search(request) } }
    #expect(throws: CBLError.self) {
      _ = try database.createQuery("SELECT META().id FROM _ WHERE kind = 'k1'").execute().allResults()
    }
    // The document to find similar ones for is on the missing server.
    let lost = try #require((0..<200).map { "doc\($0)" }.first { !Servers.isOnFirst($0) })
    var similar = SearchRequest(like: lost)
    similar.allowsPartialResults = true
    let error = #expect(throws: CBLError.self) { _ = try collection.search(similar) }
    #expect(error?.message.contains("on a missing server") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [false, true]) func patternsAreSearchedOnTheOtherServers(usesIndex: Bool) throws {
    let servers = try Servers()
    let collection = try servers.database.defaultCollection()
    if usesIndex { try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["*"])) }
    var request = PatternSearchRequest("harbour|st.rm anchor")
    let (complete, all) = try collection.matchingIDs(request)
    #expect(complete.contains { Servers.isOnFirst($0) } && complete.contains { !Servers.isOnFirst($0) })
    #expect(all.missingServers.isEmpty)
    try servers.second.stopImmediately()
    #expect(throws: CBLError.self) { _ = try collection.matchingIDs(request) }
    request.allowsPartialResults = true
    let (partial, summary) = try collection.matchingIDs(request)
    #expect(partial == complete.filter(Servers.isOnFirst))
    #expect(summary.missingServers.map(\.number) == [2] && summary.missingServers.map(\.firstShard) == [4])
    #expect(throws: CBLError.self) {
      try servers.database.inBatch { _ = try collection.matchingIDs(request) }
    }
    try servers.second.start()
    let (after, none) = try collection.matchingIDs(request)
    #expect(after == complete && none.missingServers.isEmpty)
  }

  @Test func theFirstServerIsAlwaysNeeded() throws {
    let servers = try Servers()
    try servers.first.stopImmediately()
    var request = SearchRequest("harbour")
    request.allowsPartialResults = true
    #expect(throws: CBLError.self) { _ = try servers.database.defaultCollection().search(request) }
  }
}
