import Concordance
import Foundation
import Testing

/// Weights and the parameters of BM25 in the definition of an index.
@Suite struct IndexRankingTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.save("title", #"{"title":"word","text":"something else that is longer"}"#)
    try files.save("text", #"{"title":"other","text":"word word word word"}"#)
    try files.save("none", #"{"title":"none","text":"nothing"}"#)
  }

  private func make(_ change: (inout FullTextIndexConfiguration) -> Void = { _ in }) throws {
    var config = FullTextIndexConfiguration(["title", "text"])
    change(&config)
    try files.collection.createIndex(withName: "search", config: config)
  }

  private func scores(_ change: (inout SearchRequest) -> Void = { _ in }) throws -> [String: Double] {
    var request = SearchRequest("word")
    change(&request)
    return Dictionary(
      uniqueKeysWithValues: try files.collection.search(request).hits.map { ($0.id, $0.score) })
  }

  @Test func indexDefinitionProvidesDefaultRanking() throws {
    try make()
    let plain = try scores()
    let asked = try scores {
      $0.weights = ["title": 5]
      $0.k1 = 2
      $0.b = 0.1
    }
    #expect(plain != asked)
    try make {
      $0.weights = ["title": 5]
      $0.k1 = 2
      $0.b = 0.1
    }
    #expect(try scores() == asked)
    #expect(
      try scores {
        $0.weights = ["title": 1]
        $0.k1 = 1.2
        $0.b = 0.75
      } == plain)
    let row = try #require(
      try files.database.createQuery(
        "SELECT META().id, RANK(search) FROM _ WHERE MATCH(search, 'word') ORDER BY RANK(search) DESC"
      ).execute().next())
    #expect(row.double(at: 1) == asked.values.max())
    try make()
    #expect(try scores() == plain)
  }

  @Test func changedRankingDoesNotRebuildTheIndex() throws {
    try make()
    var steps = 0
    var config = FullTextIndexConfiguration(["title", "text"])
    config.weights = ["title": 3]
    try files.collection.createIndex(withName: "search", config: config) { _, _ in
      steps += 1
      return true
    }
    #expect(steps == 0)
    let description = try #require(try files.collection.indexDescriptions().first)
    #expect(description.configuration.weights == ["title": 3])
    #expect(description.configuration.k1 == 1.2 && description.configuration.b == 0.75)
    #expect(try files.again().defaultCollection().indexDescriptions().first?.configuration == config)
  }

  @Test func builderSetsTheRanking() throws {
    let index = IndexBuilder.fullTextIndex(
      items: FullTextIndexItem.property("title"), FullTextIndexItem.property("text")
    )
    .weights(["title": 7]).ranking(k1: 0.5, b: 0)
    try files.collection.createIndex(index, name: "search")
    let configuration = try #require(try files.collection.indexDescriptions().first?.configuration)
    #expect(configuration.weights == ["title": 7] && configuration.k1 == 0.5 && configuration.b == 0)
  }

  @Test func definitionsWithoutARankingAreRead() throws {
    try make()
    let text = try String(
      decoding: JSONEncoder().encode(FullTextIndexConfiguration(["title", "text"])), as: UTF8.self)
    #expect(!text.contains("ranking"))
    let read = try JSONDecoder().decode(FullTextIndexConfiguration.self, from: Data(text.utf8))
    #expect(read.k1 == 1.2 && read.b == 0.75 && read.weights.isEmpty)
  }

  @Test func invalidRankingIsRejected() throws {
    expectError(CBLError.invalidParameter, "no field \"body\"") { try make { $0.weights = ["body": 2] } }
    expectError(CBLError.invalidParameter, "k1") { try make { $0.k1 = -1 } }
    expectError(CBLError.invalidParameter, "b of the ranking is 2") { try make { $0.b = 2 } }
    #expect(try files.collection.indexes() == [])
  }
}
