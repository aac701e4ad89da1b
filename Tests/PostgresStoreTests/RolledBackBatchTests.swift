import Concordance
import Dispatch
import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

/// What a batch that is rolled back must not leave, on the server and in memory.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct RolledBackBatchTests {
  private struct Refusal: Error {}

  private let urls: [String]
  private let database: Database
  private let collection: Collection

  init() throws {
    urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 4)
    database = try Database(url: urls[0])
    collection = try database.defaultCollection()
    for number in 0..<10 {
      try collection.save(document: MutableDocument(id: "doc\(number)", data: ["n": number, "text": "word \(number)"]))
    }
  }

  private func rolledBack(_ body: () throws -> Void) {
    #expect(throws: (any Error).self) {
      try database.inBatch {
        try body()
        throw Refusal()
      }
    }
  }

  @Test func anIndexWhoseDeletionIsRolledBackRemains() throws {
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try collection.createIndex(withName: "lines", config: PatternIndexConfiguration(["text"]))
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try database.inBatch {
      rolledBack { for name in ["text", "lines", "n"] { try collection.deleteIndex(forName: name) } }
      try collection.save(document: MutableDocument(id: "later", data: ["n": 20, "text": "word later"]))
    }
    #expect(try database.verify().isEmpty)
    #expect(try collection.search("word").hits.count == 10)
    #expect(try collection.search("later").hits.map(\.id) == ["later"])
    let query = try database.createQuery("SELECT META().id FROM _ WHERE n >= 8")
    #expect(try query.execute().allResults().count == 3)
  }

  /// A transaction that is rolled back gives the numbers of its segments to others.
  @Test func lengthsOfARolledBackBatchAreForgotten() throws {
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    func fill(_ length: Int) throws {
      for number in 0..<2000 {
        let text = "common" + String(repeating: " filler", count: (number * length) % 23)
        try collection.save(document: MutableDocument(id: "new\(number)", data: ["text": text]))
      }
      #expect(try collection.search("common").hits.count == 10)
    }
    rolledBack { try fill(7) }
    try database.inBatch { try fill(5) }
    let again = try Database(url: urls[0]).defaultCollection()
    let hits = try [collection, again].map { try $0.search("common").hits.map { "\($0.id) \($0.score)" } }
    #expect(hits[0] == hits[1])
  }

  @Test func theCountersOfADeletedCollectionAreNotStored() throws {
    try database.inBatch {
      let other = try database.createCollection(name: "other")
      for number in 0..<20 { try other.save(document: MutableDocument(id: "\(number)")) }
      try database.deleteCollection(name: "other")
    }
    for url in urls {
      let rows = try PostgresConnection(url).run("SELECT count(*) FROM concordance.cx_counter WHERE collection <> 1")
      #expect(rows.int64(0, 0) == 0)
    }
  }

  /// Holds the lock of the second server with a prepared transaction of a client that no longer exists, which the next
  /// writer ends.
  private func occupySecondServer() throws {
    let connection = try PostgresConnection(urls[1])
    let cluster = try connection.run("SELECT cluster FROM concordance.cx_manifest").string(0, 0)
    try connection.execute("BEGIN; SELECT state FROM concordance.cx_manifest FOR UPDATE")
    _ = try connection.run([PreparedName(cluster: cluster, client: "0123", number: 1).preparation])
  }

  @Test func changesForABusyServerAreKept() throws {
    try occupySecondServer()
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let query = try database.createQuery("SELECT META().id FROM _ WHERE n >= 2")
    #expect(try query.explain().contains("n"))
    #expect(try query.execute().allResults().count == 8)
    #expect(try database.verify().isEmpty)
  }

  @Test func savepointsOfABusyServerAreKept() throws {
    try occupySecondServer()
    try database.inBatch {
      rolledBack {
        for number in 0..<20 { try collection.save(document: MutableDocument(id: "inner\(number)")) }
      }
      for number in 0..<20 { try collection.save(document: MutableDocument(id: "outer\(number)")) }
    }
    #expect(collection.count == 30)
    #expect(try collection.document(id: "inner1") == nil)
    #expect(try database.verify().isEmpty)
  }

  /// Each transaction finds those of others that are being committed on the second server.
  @Test func writersOnTwoServersDoNotFail() throws {
    let databases = try (0..<4).map { _ in try Database(url: urls[0]) }
    DispatchQueue.concurrentPerform(iterations: databases.count) { writer in
      do {
        let collection = try databases[writer].defaultCollection()
        for number in 0..<40 { try collection.save(document: MutableDocument(id: "\(writer) \(number)")) }
      } catch { Issue.record(error) }
    }
    #expect(collection.count == 170)
  }

  @Test func aDatabaseThatWasCreatedAgainIsRefused() throws {
    for url in urls { try PostgresConnection(url).execute("DROP SCHEMA concordance CASCADE") }
    try Database.initialize(urls: urls, shards: 4)
    let error = #expect(throws: CBLError.self) { try collection.document(id: "doc1") }
    #expect(error?.message.contains("was created again since it was opened") == true)
    #expect(try Database(url: urls[0]).defaultCollection().count == 0)
  }
}
