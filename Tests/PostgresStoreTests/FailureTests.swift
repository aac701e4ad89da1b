import Concordance
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct FailureTests {
  @Test func aServerThatStopsLosesNoAcknowledgedBatch() throws {
    let cluster = try TemporaryCluster()
    let url = cluster.url()
    try Database.initialize(url: url, shards: 4)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    var acknowledged = 0
    let error = #expect(throws: CBLError.self) {
      for batch in 0..<1_000 {
        try database.inBatch {
          for number in 0..<10 {
            // The server stops in the middle of a batch.
            if batch == 20, number == 5 { try cluster.stopImmediately() }
            try collection.save(
              document: MutableDocument(id: "\(batch)-\(number)", data: ["batch": batch, "text": "word batch\(batch)"]))
          }
        }
        acknowledged += 1
      }
    }
    #expect(error?.message.contains("the connection to PostgreSQL was lost") == true)
    #expect(acknowledged == 20)
    try cluster.start()
    // The same object works again, because each transaction takes a connection.
    #expect(collection.count == 200)
    #expect(try collection.search("word").hits.isEmpty == false)
    #expect(try database.verify().isEmpty)
    try collection.save(document: MutableDocument(id: "later", data: ["text": "word"]))
    #expect(try collection.document(id: "later")?.sequence == 201)
  }

  /// Segments are sent on another thread. An error must end the transaction to which the segment belongs.
  @Test func aSegmentThatTheServerRefusesEndsTheImport() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    func importDocuments() throws -> ImportSummary {
      let importer = try DocumentImporter(into: collection)
      for number in 0..<200 { try importer.add(id: "\(number)", json: Array("{\"text\":\"some text\"}".utf8)) }
      return try importer.finish()
    }
    let admin = try PostgresConnection(url)
    try admin.execute("ALTER TABLE concordance.cx_tri ADD CONSTRAINT refused CHECK (tri = -1)")
    let error = #expect(throws: CBLError.self) { _ = try importDocuments() }
    #expect(error?.message.contains("refused") == true, "\(error?.message ?? "")")
    #expect(collection.count == 0)
    try admin.execute("ALTER TABLE concordance.cx_tri DROP CONSTRAINT refused")
    #expect(try importDocuments().savedCount == 200)
    #expect(try database.verify().isEmpty)
  }

  @Test func aClientThatDisappearsLeavesNothingVisible() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "kept", data: ["n": 1]))
    let other = try PostgresConnection(url)
    #expect(throws: CBLError.self) {
      try database.inBatch {
        for number in 0..<100 {
          try collection.save(document: MutableDocument(id: "lost\(number)", data: ["n": number]))
        }
        // Reading sends the documents to the server.
        _ = try collection.document(id: "missing")
        _ = try other.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
          """)
        try collection.save(document: MutableDocument(id: "kept", data: ["n": 2]))
      }
    }
    #expect(collection.count == 1)
    #expect(try collection.document(id: "kept")?.int(forKey: "n") == 1)
    #expect(try collection.document(id: "lost7") == nil)
  }

  @Test func aWriterWaitsForAnotherOnlyAsLongAsItMay() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    var config = DatabaseConfiguration()
    config.busyTimeout = 0.2
    let impatient = try Database(url: url, config: config)
    try database.inBatch {
      try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["n": 1]))
      let result = Mutex<CBLError?>(nil)
      let finished = DispatchSemaphore(value: 0)
      let thread = Thread {
        do { try impatient.inBatch {} } catch let error as CBLError { result.withLock { $0 = error } } catch {}
        finished.signal()
      }
      thread.start()
      finished.wait()
      #expect(result.withLock { $0 }?.code == CBLError.busy)
    }
    try impatient.defaultCollection().save(document: MutableDocument(id: "b", data: ["n": 2]))
    #expect(try database.defaultCollection().count == 2)
  }

  @Test func aDatabaseWithoutTablesIsReported() throws {
    let url = try TemporaryCluster.makeDatabase()
    let error = #expect(throws: CBLError.self) { _ = try Database(url: url) }
    #expect(error?.code == CBLError.notFound)
    #expect(error?.message.contains("initialize it first") == true)
  }

  @Test func theNumberOfShardsCannotBeChanged() throws {
    let url = try TemporaryCluster.makeDatabase()
    #expect(throws: CBLError.self) { try Database.initialize(url: url, shards: 3) }
    try Database.initialize(url: url, shards: 2)
    let error = #expect(throws: CBLError.self) { try Database.initialize(url: url, shards: 4) }
    #expect(error?.message.contains("2 shards") == true)
    #expect(try Database.clusterStatus(url: url).documentCounts.count == 2)
  }

  @Test func changesOfAnotherClientReachListeners() async throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let (database, other) = (try Database(url: url), try Database(url: url))
    let collection = try database.defaultCollection()
    let changes = collection.changes()
    try other.defaultCollection().save(document: MutableDocument(id: "news", data: ["n": 1]))
    for await change in changes {
      #expect(change.documentIDs == ["news"])
      break
    }
  }
}
