import Foundation
import GRDB
import Synchronization
import Testing

@testable import DocumentStore

/// Reads that begin while others run: inside them, on other queues, and on many threads.
@Suite(.timeLimit(.minutes(10))) struct ReaderConnectionTests {
  private let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func count(_ files: TemporaryStore, _ db: Database) throws -> Int64 {
    try CollectionCatalog.documentCount(files.collection, db)
  }

  /// Saves a document on another thread, and returns after it was committed.
  private func saveOnAnotherThread(_ id: String) {
    let isDone = DispatchSemaphore(value: 0)
    let files = files
    Thread.detachNewThread {
      _ = try? files.save(id, "{}")
      isDone.signal()
    }
    isDone.wait()
  }

  /// Checks that a read inside a read sees the state of the outer one.
  ///
  /// - Parameter nested: returns the number of documents that the inner read counts.
  private func expectOuterState(_ nested: () throws -> Int64) throws {
    try files.store.read { db in
      #expect(try count(files, db) == 0)
      saveOnAnotherThread("late")
      let seen = try nested()
      #expect(seen == 0)
    }
    #expect(try files.count() == 1)
  }

  private func countAgain() throws -> Int64 { try files.store.read { try count(files, $0) } }

  @Test func nestedReadSeesTheStateOfTheOuterRead() throws { try expectOuterState(countAgain) }

  @Test func readInsideAReadOfAnotherStoreSeesTheStateOfTheOutermostRead() throws {
    let other = try TemporaryStore()
    try expectOuterState { try other.store.read { _ in try countAgain() } }
  }

  @Test func readInsideAWriteOfAnotherStoreSeesTheStateOfTheOutermostRead() throws {
    let other = try TemporaryStore()
    try expectOuterState { try other.store.write { _ in try countAgain() } }
  }

  @Test func readsOfAReplacedFileThrowIfTheyNeedAnotherConnection() throws {
    let other = try TemporaryStore()
    try other.save("other", "{}")
    try other.store.close()
    #expect(try files.count() == 0)
    #expect(rename(other.path, files.path) == 0)
    #expect(files.store.isFileReplaced)
    // The connection of the first read is used again.
    #expect(try files.count() == 0)
    expectStoreError(.replaced) { _ = try files.store.document(id: "other", in: files.collection) }
    let queue = DispatchQueue(label: "other")
    try files.store.read { db in
      let seen = try count(files, db)
      #expect(seen == 0)
      queue.sync { expectStoreError(.replaced) { _ = try files.count() } }
    }
  }

  /// GRDB terminates the process if the connection of the outer read is used on the other queue.
  @Test func readOnAnotherQueueInsideAReadUsesAnotherConnection() throws {
    let queue = DispatchQueue(label: "other")
    try files.store.read { outer in
      #expect(try count(files, outer) == 0)
      saveOnAnotherThread("late")
      let seen = try queue.sync {
        try files.store.read { inner in (isSame: inner === outer, count: try count(files, inner)) }
      }
      #expect(!seen.isSame)
      #expect(seen.count == 1)
    }
  }

  /// More reads at the same time than there are connections to keep.
  @Test func readsOnManyThreadsHaveOneConnectionEach() throws {
    let threadCount = ProcessInfo.processInfo.activeProcessorCount + 3
    let connections = Mutex<Set<ObjectIdentifier>>([])
    let waiting = NSCondition()
    let arrivedCount = Mutex(0)
    let threads = DispatchGroup()
    for _ in 0..<threadCount {
      threads.enter()
      let files = files
      Thread.detachNewThread {
        try? files.store.read { db in
          connections.withLock { _ = $0.insert(ObjectIdentifier(db)) }
          // Each read continues when all have begun.
          waiting.lock()
          arrivedCount.withLock { $0 += 1 }
          waiting.broadcast()
          while arrivedCount.withLock({ $0 }) < threadCount { waiting.wait() }
          waiting.unlock()
        }
        threads.leave()
      }
    }
    threads.wait()
    #expect(connections.withLock { $0.count } == threadCount)
  }

  @Test func laterReadsUseTheSameConnection() throws {
    let connections = try (0..<3).map { _ in try files.store.read { ObjectIdentifier($0) } }
    #expect(Set(connections).count == 1)
  }

  @Test func throwingReadEndsItsTransaction() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try files.store.read { db in
        _ = try count(files, db)
        throw Failure()
      }
    }
    try files.save("new", "{}")
    #expect(try files.count() == 1)
  }
}
