import DocumentStore
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

/// Writers of several clients take turns.
@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct WriterQueueTests {
  /// A client that saves a document on another thread.
  private final class Client: Sendable {
    private let finished = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)

    init(_ url: String, saving id: String) {
      Thread.detachNewThread { [self] in
        do {
          try Database(url: url).defaultCollection().save(document: MutableDocument(id: id, data: ["n": 1]))
        } catch { failure.withLock { $0 = error } }
        finished.signal()
      }
    }

    /// Waits until the document is saved.
    func finish() throws {
      finished.wait()
      if let failure = failure.withLock({ $0 }) { throw failure }
    }
  }

  /// Waits until a number of writers wait for others.
  private static func awaitWaiting(_ count: Int64, _ url: String) throws {
    let observer = try PostgresConnection(url)
    let waiting =
      """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    while try observer.run(waiting).int64(0, 0) < count { sched_yield() }
  }

  @Test func aClientThatWritesAgainWaitsForThoseThatWaited() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    for round in 0..<10 {
      func hasWaitingWriter() throws -> Bool {
        try database.engine.write { try $0.remote?.hasWaitingWriter($0.db) ?? false }
      }
      #expect(try !hasWaitingWriter())
      var client: Client?
      try database.inBatch {
        try collection.save(document: MutableDocument(id: "own\(round)", data: ["n": 1]))
        client = Client(url, saving: "other\(round)")
        try WriterQueueTests.awaitWaiting(1, url)
        let hasWaitingWriterNow = try hasWaitingWriter()
        #expect(hasWaitingWriterNow)
      }
      // The next transaction begins after that of the client.
      let saved = try database.inBatch { try collection.document(id: "other\(round)") != nil }
      #expect(saved)
      try client?.finish()
    }
  }

  @Test func anImportForWhichAnotherClientWaitsCommitsItsBatch() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let (database, other) = (try Database(url: url), try Database(url: url))
    let collection = try database.defaultCollection()
    let counts = Mutex<[Int]>([])
    var client: Client?
    let importer = try DocumentImporter(
      into: collection, progress: { summary in counts.withLock { $0.append(summary.savedCount) } })
    let json = Array("{\"text\":\"\(String(repeating: "x", count: 1 << 20))\"}".utf8)
    try other.inBatch {
      // Three batches of 16 documents are ready when the import can begin.
      for number in 0..<48 { try importer.add(id: "\(number)", json: json) }
      try WriterQueueTests.awaitWaiting(1, url)
      client = Client(url, saving: "other")
      try WriterQueueTests.awaitWaiting(2, url)
    }
    #expect(try importer.finish().savedCount == 48)
    try client?.finish()
    // The last batch is empty.
    #expect(counts.withLock { $0 } == [16, 32, 48, 48])
    #expect(collection.count == 49)
  }

  /// Otherwise the transactions of an import would become smaller because of the merges of their segments.
  @Test func aMergeThatWaitsIsNotReported() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let (database, other) = (try Database(url: url), try Database(url: url))
    let storage = try #require(other.engine.store.remote as? PostgresStorage)
    let finished = DispatchSemaphore(value: 0)
    try database.inBatch {
      try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["n": 1]))
      Thread.detachNewThread {
        try? StorageTransactions(storage: storage).write { _ in }
        finished.signal()
      }
      try WriterQueueTests.awaitWaiting(1, url)
      let hasWaitingWriter = try database.engine.write { try $0.remote?.hasWaitingWriter($0.db) ?? false }
      #expect(!hasWaitingWriter)
    }
    finished.wait()
  }
}
