import DocumentStore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct WorkerThreadsTests {
  @Test func tenThousandOperationsShareABoundedNumberOfThreads() async throws {
    let threads = WorkerThreads(maximumCount: 3)
    let counts = Locked((running: 0, most: 0))
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<10_000 {
        group.addTask {
          try await threads.run {
            counts.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
            defer { counts.withLock { $0.running -= 1 } }
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 49_995_000)
    #expect(1...3 ~= counts.withLock { $0.most })
  }

  @Test func operationsStartInOrder() async throws {
    let threads = WorkerThreads(maximumCount: 1)
    let order = Locked<[Int]>([])
    await withCheckedContinuation { done in
      for number in 0..<100 { threads.submit { order.withLock { $0.append(number) } } }
      threads.submit { done.resume() }
    }
    #expect(order.withLock { $0 } == Array(0..<100))
  }

  @Test func cancellingAWaitingOperationEndsItImmediately() async throws {
    let threads = WorkerThreads(maximumCount: 1)
    let gate = DispatchSemaphore(value: 0)
    threads.submit { gate.wait() }
    let hasRun = Locked(false)
    let waiting = Task { try await threads.run { hasRun.withLock { $0 = true } } }
    waiting.cancel()
    // The only thread is still occupied.
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.signal()
    try await threads.run {}
    #expect(!hasRun.withLock { $0 })
  }

  @Test func cancelledRunningOperationReturnsItsResult() async throws {
    let threads = WorkerThreads(maximumCount: 1)
    let gate = DispatchSemaphore(value: 0)
    let task = Locked<Task<Int, any Error>?>(nil)
    await withCheckedContinuation { begun in
      task.withLock {
        $0 = Task {
          try await threads.run {
            begun.resume()
            gate.wait()
            return 7
          }
        }
      }
    }
    let running = try #require(task.withLock { $0 })
    running.cancel()
    gate.signal()
    #expect(try await running.value == 7)
  }

  @Test func checkThrowsInsideACancelledOperationOnly() async throws {
    let threads = WorkerThreads(maximumCount: 1)
    try Interruption.check()
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await threads.run {
        gate.wait()
        try Interruption.check()
      }
    }
    task.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await threads.run { try Interruption.check() }
  }
}
