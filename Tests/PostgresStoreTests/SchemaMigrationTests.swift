import Concordance
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

/// The migration of the tables of several servers from version 2, whose segments of pattern indexes do not list their
/// documents.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct SchemaMigrationTests {
  /// A database on two servers with tables of version 2: 300 documents with a pattern index.
  private struct OldDatabase {
    let urls: [String]
    let connections: [PostgresConnection]

    init() throws {
      urls = try TemporaryCluster.makeDatabases(2)
      try Database.initialize(urls: urls, shards: 8)
      let database = try Database(url: urls[0])
      try database.inBatch {
        for number in 0..<300 {
          try database.defaultCollection().save(
            document: MutableDocument(id: "doc\(number)", data: ["text": "the harbour \(number)"]))
        }
      }
      try database.defaultCollection().createIndex(withName: "lines", config: PatternIndexConfiguration(["text"]))
      try database.close()
      connections = try urls.map { try PostgresConnection($0) }
      for connection in connections {
        try connection.execute(
          """
          SET search_path = concordance; DELETE FROM cx_tri WHERE tri = -1; UPDATE cx_manifest SET version = 2;
          ALTER TABLE cx_value_table DROP COLUMN dropped
          """)
      }
    }

    /// The version of each server, and whether each of its segments lists its documents once.
    func versions() throws -> [String] {
      try connections.map { connection in
        let result = try connection.run(
          """
          SELECT version, (SELECT count(DISTINCT seg) FROM concordance.cx_tri WHERE tri <> -1),
            (SELECT count(*) FROM concordance.cx_tri WHERE tri = -1) FROM concordance.cx_manifest
          """)
        let (segments, lists) = (result.int64(0, 1), result.int64(0, 2))
        return "\(result.int64(0, 0)) \(segments > 0) \(lists == segments ? "listed" : "\(lists) of \(segments)")"
      }
    }

    func check() throws {
      let database = try Database(url: urls[0])
      #expect(try database.verify().isEmpty)
      let collection = try database.defaultCollection()
      var request = PatternSearchRequest("harbour 2[0-9]$")
      request.field = "text"
      let found = try collection.matchingIDs(request).ids
      #expect(found == (20..<30).map { "doc\($0)" })
      #expect(try database.mergeSegments(all: true) != nil)
      try collection.save(document: MutableDocument(id: "later", data: ["text": "the harbour 20"]))
    }
  }

  @Test func olderTablesAreUpdatedOnAllServers() throws {
    let old = try OldDatabase()
    #expect(try old.versions() == ["2 true 0 of 1", "2 true 0 of 1"])
    let error = #expect(throws: CBLError.self) { _ = try Database(url: old.urls[0]) }
    #expect(error?.message.contains("have the older version 2") == true)
    #expect(try Database.initialize(urls: old.urls, shards: 8))
    #expect(try old.versions() == ["6 true listed", "6 true listed"])
    #expect(try !Database.initialize(urls: old.urls, shards: 8))
    try old.check()
  }

  /// A client that ends between the commits of the servers has updated the later ones only.
  @Test func anInterruptedUpdateIsRepeated() throws {
    let old = try OldDatabase()
    try old.connections[1].execute(
      """
      BEGIN; INSERT INTO concordance.cx_tri (idx, tri, seg, payload)
        SELECT DISTINCT idx, -1, seg, ''::bytea FROM concordance.cx_tri;
      UPDATE concordance.cx_manifest SET version = 3; COMMIT
      """)
    let error = #expect(throws: CBLError.self) { _ = try Database(url: old.urls[0]) }
    #expect(error?.message.contains("have the older version 2") == true)
    #expect(try Database.initialize(urls: old.urls, shards: 8))
    #expect(try old.versions() == ["6 true listed", "6 true listed"])
    try old.check()
  }

  /// A client whose connections end before the commits changes nothing.
  @Test func anUpdateThatWaitsIsInterrupted() throws {
    let old = try OldDatabase()
    // The update of the first server waits for this lock after that of the second has run.
    try old.connections[0].execute("BEGIN; SELECT FROM concordance.cx_manifest FOR UPDATE")
    let failure = Mutex<CBLError?>(nil)
    let finished = DispatchSemaphore(value: 0)
    let urls = old.urls
    Thread.detachNewThread {
      do { try Database.initialize(urls: urls, shards: 8) } catch let error as CBLError {
        failure.withLock { $0 = error }
      } catch {}
      finished.signal()
    }
    let observer = try PostgresConnection(old.urls[0])
    let waiting =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()
      """
    while try observer.run(waiting).count == 0 { sched_yield() }
    finished.wait()
    #expect(failure.withLock { $0 }?.message.contains("connection") == true)
    try old.connections[0].execute("ROLLBACK")
    #expect(try old.versions() == ["2 true 0 of 1", "2 true 0 of 1"])
    #expect(try Database.initialize(urls: old.urls, shards: 8))
    #expect(try old.versions() == ["6 true listed", "6 true listed"])
    try old.check()
  }

  @Test func twoClientsUpdateOnce() throws {
    let old = try OldDatabase()
    let outcomes = Mutex<[String]>([])
    let urls = old.urls
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      let outcome: String
      do { outcome = try Database.initialize(urls: urls, shards: 8) ? "updated" : "current" } catch {
        outcome = "\(error)"
      }
      outcomes.withLock { $0.append(outcome) }
    }
    #expect(outcomes.withLock { $0 }.sorted() == ["current", "updated"])
    #expect(try old.versions() == ["6 true listed", "6 true listed"])
    try old.check()
  }
}
