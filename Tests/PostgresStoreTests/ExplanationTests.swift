import Concordance
import TestSupport
import Testing

/// What explanations say about the work of the server and of the client.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct ExplanationTests {
  private static func database() throws -> Database {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "numbers", config: ValueIndexConfiguration(["number"]))
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try Corpus.fill(database, count: 1_000)
    return database
  }

  @Test func conditionsThatTheServerEvaluatesAreShown() throws {
    let database = try ExplanationTests.database()
    func reading(_ text: String) throws -> ServerReading {
      try #require(try database.createQuery(text).explanation().server)
    }
    let byID = try reading("SELECT title FROM _ WHERE meta().id = 'doc17'")
    #expect(byID.statements.contains { $0.contains("FROM cx_doc WHERE collection = ") && $0.contains("id = ?") })
    #expect(byID.notes.isEmpty && byID.roundTripCount == nil)
    let byNumber = try reading("SELECT title FROM _ WHERE number = 7")
    #expect(byNumber.statements.contains { $0.contains("FROM cx_vi_") && $0.contains("k0 = ?") }, "\(byNumber)")
    #expect(byNumber.notes.isEmpty)
    let scan = try reading("SELECT title FROM _ WHERE price > 50")
    #expect(
      scan.notes == [
        "every document of _default._default is transferred to the client, unless LIMIT ends the query earlier; no index "
          + "evaluates price > 50"
      ])
    let text = try database.createQuery("SELECT title FROM _ WHERE price > 50").explain()
    #expect(text.contains("PostgreSQL\n  SELECT ") && text.contains("is transferred to the client"))
  }

  @Test func roundTripsOfAQueryAreCounted() throws {
    let database = try ExplanationTests.database()
    func count(_ text: String) throws -> Int {
      let explanation = try database.createQuery(text).explanationCountingRoundTrips()
      return try #require(explanation.server?.roundTripCount)
    }
    let (one, all) = try (
      count("SELECT title FROM _ WHERE meta().id = 'doc17'"), count("SELECT title FROM _ WHERE price > 50")
    )
    #expect(one == 2)
    #expect(all > one)
  }

  @Test func searchesExplainTheirConditions() throws {
    let collection = try ExplanationTests.database().defaultCollection()
    var request = SearchRequest("document")
    #expect(try collection.search(request).server == nil)
    request.explains = true
    let plain = try #require(try collection.search(request).server)
    #expect(plain.roundTripCount ?? 0 > 1 && plain.notes.isEmpty)
    request.where = "price > 50"
    #expect(
      try collection.search(request).server?.notes == [
        "the client tests the documents that match; no index evaluates price > 50"
      ])
    request.where = "number = 7"
    let indexed = try #require(try collection.search(request).server)
    #expect(indexed.statements.contains { $0.contains("FROM cx_vi_") && $0.contains("k0 = ?") }, "\(indexed)")
    #expect(indexed.notes.isEmpty)
  }

  @Test func explanationsOfFilesHaveNoServer() throws {
    let stores = try PairOfDatabases(shards: 1)
    let query = try stores.file.createQuery("SELECT meta().id FROM _")
    #expect(try query.explanationCountingRoundTrips().server == nil)
    #expect(try !query.explain().contains("PostgreSQL"))
  }
}
