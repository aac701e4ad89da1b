import DocumentStore
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct CommitWatchTests {
  /// Nothing would read the notifications that the server keeps for the connection.
  @Test func theConnectionIsClosedWhenNobodyFollowsChanges() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    defer { try? database.close() }
    let store = database.engine.store
    let storage = try #require(store.remote as? PostgresStorage)
    for _ in 0..<2 {
      let reader = try store.makeChangeReader()
      _ = try reader.dataVersion()
      #expect(storage.watch.isOpen)
      reader.close()
      #expect(!storage.watch.isOpen)
    }
  }

  @Test func closingDoesNotWaitForAServerThatDoesNotAnswer() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let proxy = try StoppableProxy(url)
    let storage = try PostgresStorage(proxy.url)
    proxy.stop()
    let failure = Mutex<(any Error)?>(nil)
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { _ = try storage.stateNumber() } catch { failure.withLock { $0 = error } }
      finished.signal()
    }
    proxy.awaitDiscarded()
    storage.close()
    #expect(finished.wait(timeout: .now()) == .timedOut)
    proxy.close()
    finished.wait()
    #expect(failure.withLock { $0 } != nil)
  }
}
