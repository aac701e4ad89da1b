import Concordance
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct CommitWatchTests {
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
