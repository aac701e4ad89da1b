import DocumentStore
import PostgresStore
import TestSupport
import Testing

@testable import Concordance

/// The number of times that an operation waits for the server. More would make it slow on a real network.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct RoundTripTests {
  /// Returns the smallest number of round trips of three calls of `body`, which receives the number of the call. The
  /// count also includes those of the database's other threads, such as merges.
  private static func count(_ database: Database, _ body: (Int) throws -> Void) throws -> Int {
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    let counts = try (1...3).map { attempt in
      storage.merges.wait()
      let before = storage.roundTripCount
      try body(attempt)
      return storage.roundTripCount - before
    }
    return try #require(counts.min())
  }

  @Test(arguments: [1, 2]) func operationsNeedFewRoundTrips(nodes: Int) throws {
    let urls = try TemporaryCluster.makeDatabases(nodes)
    try Database.initialize(urls: urls)
    let database = try Database(url: urls[0])
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try Corpus.fill(database, count: 1_000)
    let storage = try #require(database.engine.store.remote)
    let counts = [
      "get": try RoundTripTests.count(database) { _ = try collection.document(id: "doc\($0)") },
      "save": try RoundTripTests.count(database) {
        try collection.save(document: MutableDocument(id: "new\($0)", data: ["title": "Document"]))
      },
      "search": try RoundTripTests.count(database) { _ in
        storage.discardCaches()
        _ = try collection.search("document 7")
      },
      "search again": try RoundTripTests.count(database) { _ in _ = try collection.search("document 7") },
      "query": try RoundTripTests.count(database) { _ in
        _ = try database.createQuery("SELECT meta().id FROM _ WHERE match(search, 'document') LIMIT 200").execute()
          .allResults()
      },
    ]
    // Saving prepares the transaction on the other server.
    let limits =
      nodes == 1
      ? ["get": 2, "save": 4, "search": 5, "search again": 2, "query": 3]
      : ["get": 3, "save": 8, "search": 8, "search again": 3, "query": 6]
    for (operation, limit) in limits {
      #expect(counts[operation, default: .max] <= limit, "\(operation): \(counts)")
    }
  }

  /// The condition is evaluated by the client, so the documents of all matches are read, the best ones first.
  @Test func rankedDocumentsAreReadTogether() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try database.defaultCollection().createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try Corpus.fill(database, count: 2_000)
    let query = try database.createQuery(
      "SELECT meta().id FROM _ WHERE match(search, 'document') AND length(title) > 1000 ORDER BY rank(search) LIMIT 5")
    let count = try RoundTripTests.count(database) { _ in
      let isEmpty = try query.execute().allResults().isEmpty
      #expect(isEmpty)
    }
    #expect(count < 30)
  }
}
