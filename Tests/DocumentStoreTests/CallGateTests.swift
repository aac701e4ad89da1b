import Foundation
import GRDB
import SQLiteAccess
import Testing

@testable import DocumentStore

@Suite(.timeLimit(.minutes(10))) struct CallGateTests {
  private struct Failure: Error {}

  @Test func closedGateLetsNoCallPass() throws {
    let gate = CallGate()
    #expect(gate.enter())
    gate.leave()
    try gate.close {}
    #expect(!gate.enter())
    try gate.close { Issue.record("the gate is closed twice") }
  }

  @Test func failedClosingLeavesTheGateOpen() throws {
    let gate = CallGate()
    #expect(throws: Failure.self) { try gate.close { throw Failure() } }
    #expect(gate.enter())
    gate.leave()
    try gate.close {}
    #expect(!gate.enter())
  }

  @Test func closingWaitsForCallsAndRejectsNewOnes() throws {
    let gate = CallGate()
    let isInside = Locked(true)
    #expect(gate.enter())
    let closed = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? gate.close { isInside.withLock { #expect(!$0) } }
      closed.signal()
    }
    // The gate rejects calls as soon as the other thread is closing it.
    while gate.enter() { gate.leave() }
    isInside.withLock { $0 = false }
    gate.leave()
    closed.wait()
  }

  @Test func storeRejectsReadsWhileItIsBeingClosed() throws {
    let files = try TemporaryStore()
    let store = files.store
    let threads = DispatchGroup()
    let failures = Locked<[StoreErrorKind]>([])
    for _ in 0..<4 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        do {
          while true { _ = try store.read { try Int.fetchOne($0, sql: "SELECT 1") } }
        } catch {
          failures.withLock { $0.append((error as? StoreError)?.kind ?? .misuse) }
        }
      }
    }
    try store.close()
    threads.wait()
    #expect(failures.withLock { $0 } == Array(repeating: .closed, count: 4))
  }
}
