import DocumentStore
import Foundation
import PostgresAccess
import PostgresStore
import Synchronization
import TestSupport
import Testing

@testable import Concordance

/// Commits whose connection is lost, and merges after commits.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct WriterTests {
  private static func save(_ id: String, _ database: Database) throws {
    try database.defaultCollection().save(document: MutableDocument(id: id, data: ["n": 1]))
  }

  /// The server commits, but the connection ends while it waits for a standby, before it answers.
  @Test func aCommitWhoseAnswerWasLostIsNotReportedAsAnError() throws {
    let cluster = try TemporaryCluster()
    try Database.initialize(url: cluster.url())
    try WriterTests.save("a", Database(url: cluster.url()))
    // Commits of the second database wait for a standby server, which does not exist. The server is restarted, because
    // it reloads its configuration at an unknown time.
    let settings = try PostgresConnection(cluster.url())
    try settings.execute("ALTER SYSTEM SET synchronous_standby_names = 'none'")
    try settings.execute("ALTER SYSTEM SET synchronous_commit = 'local'")
    try cluster.stopImmediately()
    try cluster.start()
    let database = try Database(url: cluster.url() + "&options=-csynchronous_commit%3Don")
    let admin = try PostgresConnection(cluster.url())
    let result = Mutex<(any Error)?>(nil)
    let finished = DispatchSemaphore(value: 0)
    Thread {
      do { try WriterTests.save("b", database) } catch { result.withLock { $0 = error } }
      finished.signal()
    }.start()
    try admin.execute(
      """
      DO $$
      BEGIN
        WHILE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep') LOOP
          PERFORM pg_stat_clear_snapshot();
          PERFORM pg_sleep(0.01);
        END LOOP;
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';
      END $$
      """)
    finished.wait()
    #expect(result.withLock { $0 } == nil)
    try admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
    try admin.execute("SELECT pg_reload_conf()")
    #expect(try database.defaultCollection().count == 2)
    try WriterTests.save("c", database)
    #expect(try database.defaultCollection().document(id: "c")?.sequence == 3)
  }

  @Test(arguments: [1, 2]) func aCommitThatDidNotTakeEffectIsReported(nodes: Int) throws {
    let urls = try TemporaryCluster.makeDatabases(nodes)
    try Database.initialize(urls: urls, shards: nodes)
    let database = try Database(url: urls[0])
    try WriterTests.save("a", database)
    let admin = try PostgresConnection(urls[0])
    // The first server ends the connection during each commit.
    try admin.execute(
      """
      CREATE FUNCTION concordance.stop() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER stop AFTER UPDATE ON concordance.cx_manifest DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION concordance.stop()
      """)
    let error = #expect(throws: CBLError.self) {
      try database.inBatch { for number in 0..<4 { try WriterTests.save("b\(number)", database) } }
    }
    #expect(error?.message.contains("the batch was not saved: save it again") == true, "\(error?.message ?? "")")
    try admin.execute("DROP TRIGGER stop ON concordance.cx_manifest")
    #expect(try database.defaultCollection().count == 1)
    try database.inBatch { for number in 0..<4 { try WriterTests.save("b\(number)", database) } }
    #expect(try database.defaultCollection().count == 5)
  }

  @Test(arguments: [1, 2]) func manySegmentsAreMergedByTheWriter(nodes: Int) throws {
    let urls = try TemporaryCluster.makeDatabases(nodes)
    try Database.initialize(urls: urls, shards: nodes)
    let database = try Database(url: urls[0])
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    // A batch of this size is a segment in each shard.
    let batchSize = 300 * nodes
    for batch in 0..<10 {
      let importer = try DocumentImporter(into: collection)
      for number in 0..<batchSize {
        try importer.add(id: "\(batch)-\(number)", json: Array("{\"text\":\"word batch\(batch)\"}".utf8))
      }
      _ = try importer.finish()
    }
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    for url in urls {
      let segments = try PostgresConnection(url).run(
        "SELECT count(*) FROM concordance.cx_seg s WHERE NOT EXISTS "
          + "(SELECT 1 FROM concordance.cx_retired r WHERE (r.idx, r.shard, r.seg) = (s.idx, s.shard, s.seg))")
      #expect(segments.int64(0, 0) == 1)
    }
    var request = SearchRequest("word")
    request.counting = .exact
    #expect(try collection.search(request).total == .exact(10 * batchSize))
    #expect(try database.verify().isEmpty)
  }

  @Test func aLiveQueryFollowsAnotherClient() async throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 4)
    let (database, other) = (try Database(url: urls[0]), try Database(url: urls[0]))
    let query = try database.createQuery("SELECT meta().id AS id FROM _ ORDER BY id")
    var seen: [[String]] = []
    for try await rows in query.changes() {
      seen.append(rows.map { $0.toJSON() })
      if seen.count == 4 { break }
      try WriterTests.save("doc\(seen.count)", other)
    }
    #expect(seen == (0..<4).map { count in (0..<count).map { "{\"id\":\"doc\($0 + 1)\"}" } })
  }
}
