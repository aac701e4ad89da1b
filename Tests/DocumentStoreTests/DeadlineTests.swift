import Foundation
import GRDB
import SQLiteAccess
import Synchronization
import Testing

@testable import DocumentStore

/// Time limits of requests. These tests control the clock, and their infinite statements end only at the deadline.
struct DeadlineTests {
  /// A clock that advances by one second each time it is read.
  private final class TickingClock: Sendable {
    private let start = ContinuousClock.now
    private let ticks = Mutex(0)

    func now() -> ContinuousClock.Instant {
      ticks.withLock { ticks in
        ticks += 1
        return start + .seconds(ticks)
      }
    }
  }

  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"

  @Test func statementIsInterruptedAtTheDeadline() throws {
    let test = try TemporaryStore()
    let clock = TickingClock()
    let deadline = Deadline(.seconds(10), of: "query") { clock.now() }
    let error = #expect(throws: StoreError.self) {
      try Deadline.run(deadline) {
        try test.store.read { try SQLStatement(sql: DeadlineTests.endless, in: $0).run() }
      }
    }
    #expect(error?.kind == .timeout)
    #expect(
      error?.message
        == "the query took longer than its time limit of 10.0 seconds; narrow it down, or set a longer timeout")
  }

  @Test func connectionHasNoLimitAfterTheRequest() throws {
    let test = try TemporaryStore()
    expectStoreError(.timeout) { try Deadline.run(.zero, of: "query") { try test.store.read { _ in } } }
    let long = DeadlineTests.endless.replacingOccurrences(of: "FROM n)", with: "FROM n WHERE i < 20000)")
    #expect(try test.store.read { try Int.fetchOne($0, sql: long) } == 20_000)
  }

  @Test func innerRequestIsLimitedByTheOuterDeadline() throws {
    let test = try TemporaryStore()
    let clock = TickingClock()
    let outer = Deadline(.seconds(20), of: "search") { clock.now() }
    let error = #expect(throws: StoreError.self) {
      try Deadline.run(outer) {
        try Deadline.run(.seconds(3600), of: "query") {
          try test.store.read { try SQLStatement(sql: DeadlineTests.endless, in: $0).run() }
        }
      }
    }
    #expect(error?.message.hasPrefix("the search took longer than its time limit of 20.0 seconds") == true)
  }

  @Test func outerDeadlineAppliesAfterAnInnerRequest() throws {
    let test = try TemporaryStore()
    let clock = TickingClock()
    let outer = Deadline(.seconds(20), of: "search") { clock.now() }
    expectStoreError(.timeout) {
      try Deadline.run(outer) {
        try test.store.read { db in
          try Deadline.run(.seconds(3600), of: "query") {
            try test.store.read { _ = try Int.fetchOne($0, sql: "SELECT 1") }
          }
          try SQLStatement(sql: DeadlineTests.endless, in: db).run()
        }
      }
    }
  }

  @Test func readInsideABatchIsLimitedAndTheBatchContinues() throws {
    let test = try TemporaryStore()
    try test.store.write { transaction in
      _ = try transaction.documents(in: test.collection).save(id: "a", body: body("{}"))
      let clock = TickingClock()
      expectStoreError(.timeout) {
        try Deadline.run(Deadline(.seconds(10), of: "query") { clock.now() }) {
          try test.store.read { try SQLStatement(sql: DeadlineTests.endless, in: $0).run() }
        }
      }
    }
    #expect(try test.ids() == ["a"])
  }

  /// Writes by the caller while a query returns rows are not part of the query.
  @Test func writingHasNoLimit() throws {
    let test = try TemporaryStore()
    let clock = TickingClock()
    expectStoreError(.timeout) {
      try Deadline.run(Deadline(.seconds(3), of: "query") { clock.now() }) {
        for _ in 0..<5 { _ = clock.now() }
        try test.store.write { transaction in
          _ = try transaction.documents(in: test.collection).save(id: "a", body: body("{}"))
          let long = DeadlineTests.endless.replacingOccurrences(of: "FROM n)", with: "FROM n WHERE i < 20000)")
          #expect(try Int.fetchOne(transaction.db, sql: long) == 20_000)
        }
        try test.store.read { try SQLStatement(sql: DeadlineTests.endless, in: $0).run() }
      }
    }
    #expect(try test.ids() == ["a"])
  }

  @Test func helperThreadsHaveTheSameDeadline() throws {
    let test = try TemporaryStore()
    let clock = TickingClock()
    expectStoreError(.timeout) {
      try Deadline.run(Deadline(.seconds(50), of: "query") { clock.now() }) {
        try test.store.readInParallel { db, readerPool in
          try readerPool.map(count: 1000, on: db) { _, db in
            try SQLStatement(sql: DeadlineTests.endless, in: db).run()
          } deliver: {
            true
          }
        }
      }
    }
  }

  /// A read ends after its helpers, so each helper must detect that the task was cancelled.
  @Test(.timeLimit(.minutes(10))) func cancellationEndsTheStatementsOfAllThreads() async throws {
    let test = try TemporaryStore()
    let threads = WorkerThreads(maximumCount: 1)
    let isRunning = AsyncStream.makeStream(of: Void.self)
    let others = DispatchSemaphore(value: 0)
    let begun = Locked(0)
    let task = Task {
      try await threads.run {
        try test.store.readInParallel { db, readerPool in
          try readerPool.map(count: 1000, on: db) { _, db in
            let isFirst = begun.withLock { begun in
              begun += 1
              return begun == 1
            }
            if isFirst {
              // A helper may end because no connection is free; otherwise it soon runs its infinite statement.
              _ = others.wait(timeout: .now() + 2)
              isRunning.continuation.yield()
            } else {
              others.signal()
            }
            try SQLStatement(sql: DeadlineTests.endless, in: db).run()
          } deliver: {
            true
          }
        }
      }
    }
    for await _ in isRunning.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(begun.withLock { $0 } <= 1 + Store.maximumHelperCount)
  }

  @Test func errorsOfTheCallerAreThrownUnchanged() throws {
    struct Fault: Error {}
    let test = try TemporaryStore()
    #expect(throws: Fault.self) {
      try Deadline.run(.seconds(3600), of: "query") { try test.store.read { _ in throw Fault() } }
    }
  }
}
