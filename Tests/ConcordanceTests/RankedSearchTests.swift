import Concordance
import Foundation
import Testing

/// Ranking across batches and in queries. Searches must include the changes that an index buffers during a transaction.
@Suite struct RankedSearchTests {
  struct Refusal: Error {}

  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    for number in 1...40 {
      let words = Array(repeating: "word", count: number % 7 + 1) + Array(repeating: "other", count: number % 11)
      try files.save("d\(number)", "{\"n\":\(number),\"text\":\"\(words.joined(separator: " "))\"}")
    }
  }

  @Test func batchFindsItsOwnDocuments() throws {
    try files.database.inBatch {
      try files.save("new", #"{"text":"word unheard"}"#)
      #expect(try files.found("unheard") == ["new"])
      #expect(try ids("SELECT META().id FROM _ WHERE MATCH(search, 'unheard')") == ["new"])
      try files.save("new", #"{"text":"changed"}"#)
      #expect(try files.found("unheard") == [])
      #expect(try files.collection.count(matching: SearchRequest("changed")) == 1)
    }
    #expect(try files.database.verify() == [])
  }

  @Test func rolledBackInnerBatchIsNotCounted() throws {
    let before = try scores("word")
    try files.database.inBatch {
      try files.save("outer", #"{"text":"other"}"#)
      expectRollback(by: Refusal.self) {
        try files.database.inBatch {
          try files.save("inner", #"{"text":"word word word word word word"}"#)
          #expect(try files.found("word").contains("inner"))
          throw Refusal()
        }
      }
      let outer = try files.collection.document(id: "outer")
      try files.collection.delete(document: #require(outer))
    }
    #expect(try scores("word") == before)
    #expect(try files.database.verify() == [])
  }

  @Test func indexWithPendingChangesCanBeDeleted() throws {
    try files.database.inBatch {
      try files.save("new", #"{"text":"word"}"#)
      try files.collection.deleteIndex(forName: "search")
    }
    #expect(try files.database.verify() == [])
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    #expect(try files.collection.count(matching: SearchRequest("word")) == 41)
  }

  @Test func rankWithALimitReturnsTheFirstRowsOfRankWithoutOne() throws {
    let all = try ids("SELECT META().id FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search) DESC")
    let best = try ids(
      "SELECT META().id FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search) DESC LIMIT 5 OFFSET 2")
    #expect(all.count == 40)
    #expect(best == Array(all[2..<7]))
    #expect(try files.collection.search("word").hits.map(\.id) == Array(all.prefix(10)))
  }

  @Test func rankWithOtherConditions() throws {
    let all = try ids("SELECT META().id FROM _ WHERE MATCH(search, 'word') AND n > 20 ORDER BY RANK(search) DESC")
    let best = try ids(
      "SELECT META().id FROM _ WHERE MATCH(search, 'word') AND n > 20 ORDER BY RANK(search) DESC LIMIT 4")
    let everything = try ids("SELECT META().id FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search) DESC")
    #expect(all == everything.filter { (Int($0.dropFirst()) ?? 0) > 20 })
    #expect(best == Array(all.prefix(4)))
    let worst = try ids("SELECT META().id FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search), META().id LIMIT 1")
    #expect(try scores("word").min { $0.value < $1.value }.map { $0.value } == scores("word")[worst[0]])
  }

  @Test func rankOfTheSecondSourceOfAJoin() throws {
    let rows = try ids(
      """
      SELECT META(b).id FROM _ AS a JOIN _ AS b ON a.n = b.n
      WHERE a.n <= 3 AND MATCH(b.search, 'word') ORDER BY RANK(b.search) DESC
      """)
    let expected = try files.collection.search(all("word")).hits.map(\.id).filter { ["d1", "d2", "d3"].contains($0) }
    #expect(rows == expected)
  }

  @Test func expiredDocumentsDoNotCountTowardsLimit() throws {
    let best = try files.found("word")
    try files.collection.setDocumentExpiration(id: best[0], expiration: .distantPast)
    let rest = try ids("SELECT META().id FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search) DESC LIMIT 3")
    #expect(rest == Array(best[1...3]))
  }

  @Test func rankingParametersAreChecked() throws {
    var request = SearchRequest("word")
    request.b = 1.5
    expectError(CBLError.invalidParameter) { _ = try files.collection.search(request) }
    request.b = 0
    request.k1 = 0
    let scores = try files.collection.search(request).hits.map(\.score)
    #expect(Set(scores).count == 1)
  }

  private func all(_ query: String) -> SearchRequest {
    var request = SearchRequest(query)
    request.limit = 1000
    return request
  }

  private func scores(_ query: String) throws -> [String: Double] {
    Dictionary(uniqueKeysWithValues: try files.collection.search(all(query)).hits.map { ($0.id, $0.score) })
  }

  private func ids(_ query: String) throws -> [String] {
    try files.database.createQuery(query).execute().map { $0.string(at: 0) ?? "" }
  }
}
