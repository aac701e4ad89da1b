import DocumentStore
import TestSupport
import Testing

@testable import Concordance

/// The number of times that an operation waits for the server. More would make it slow on a real network.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct RoundTripTests {
  private static func count(_ database: Database, _ body: () throws -> Void) throws -> Int {
    let storage = try #require(database.engine.store.remote)
    let before = storage.roundTripCount
    try body()
    return storage.roundTripCount - before
  }

  @Test func operationsNeedFewRoundTrips() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try Corpus.fill(database, count: 1_000)
    let counts = [
      "get": try RoundTripTests.count(database) { _ = try collection.document(id: "doc5") },
      "save": try RoundTripTests.count(database) {
        try collection.save(document: MutableDocument(id: "new", data: ["title": "Document"]))
      },
      "search": try RoundTripTests.count(database) { _ = try collection.search("document 7") },
      "search again": try RoundTripTests.count(database) { _ = try collection.search("document 7") },
      "query": try RoundTripTests.count(database) {
        _ = try database.createQuery("SELECT meta().id FROM _ WHERE match(search, 'document') LIMIT 200").execute()
          .allResults()
      },
    ]
    let limits = ["get": 2, "save": 4, "search": 8, "search again": 3, "query": 3]
    for (operation, limit) in limits {
      #expect(counts[operation, default: .max] <= limit, "\(operation): \(counts)")
    }
  }
}
