import Foundation

/// A bounded pool of threads for blocking calls, so that they never run on the cooperative thread pool of Swift
/// concurrency, which has one thread per processor.
///
/// Dispatch's global queues are not used, because on Linux they share their threads with the cooperative thread pool. A
/// thread starts when there is work and none is idle, and ends after a few seconds without work. Operations start in
/// order of arrival.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
public final class WorkerThreads: @unchecked Sendable {
  private struct State {
    /// The queued work by ticket. Ticket numbers increase.
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var firstTicket: UInt64 = 0
    var nextTicket: UInt64 = 0
    var threadCount = 0
    var idleCount = 0
  }

  private let maximumCount: @Sendable () -> Int
  private let condition = NSCondition()
  private var state = State()

  /// The number of seconds that a thread waits for more work.
  private static let longestIdleTime = 5.0
  /// The size of each thread's stack, the same as for Dispatch's threads. Parsers and SQLite are recursive.
  private static let stackSize = 8 << 20

  /// Creates a pool.
  ///
  /// - Parameter maximumCount: the maximum number of operations that run at the same time. It is evaluated when a
  ///   thread is needed.
  public init(maximumCount: @escaping @autoclosure @Sendable () -> Int) { self.maximumCount = maximumCount }

  /// Calls `body` on one of the threads.
  ///
  /// If the task is cancelled before the operation has begun, this throws immediately and `body` has no effect.
  /// Afterwards, cancellation interrupts ``Interruption/current``, which ends reads.
  ///
  /// - Parameters:
  ///   - beginsInTransaction: whether the operation counts as begun when its write transaction begins, instead of when
  ///     a thread starts it, so that waiting for another writer can be cancelled as well.
  ///   - body: the operation.
  /// - Throws: Any error that `body` throws; `CancellationError` if the task was cancelled and `body` did not return a
  ///   result.
  public func run<T: Sendable>(
    beginsInTransaction: Bool = false, _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    let operation = Operation<T>()
    // If a continuation is resumed before its task waits, the thread sanitizer does not see that the memory accesses
    // are ordered. The lock makes the order visible to it.
    defer { operation.continuation.withLock { _ in } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        operation.continuation.withLock { $0 = continuation }
        let ticket = submit { operation.run(beginsInTransaction: beginsInTransaction, body) }
        operation.ticket.withLock { $0 = ticket }
        // The task may have been cancelled before the continuation or the ticket was set.
        if operation.interruption.isInterrupted { operation.cancel(on: self) }
      }
    } onCancel: {
      operation.cancel(on: self)
    }
  }

  /// Enqueues `work` for one of the threads.
  ///
  /// - Returns: A ticket for ``withdraw(_:)``.
  @discardableResult
  public func submit(_ work: @escaping @Sendable () -> Void) -> UInt64 {
    condition.lock()
    defer { condition.unlock() }
    let ticket = state.nextTicket
    state.nextTicket += 1
    state.waiting[ticket] = work
    if state.waiting.count > state.idleCount, state.threadCount < max(1, maximumCount()) {
      state.threadCount += 1
      startThread()
    }
    condition.signal()
    return ticket
  }

  /// Removes work that no thread has started yet.
  func withdraw(_ ticket: UInt64) {
    // Released outside the lock, because the closure may hold the last reference to a database.
    let work = condition.withLock { state.waiting.removeValue(forKey: ticket) }
    withExtendedLifetime(work) {}
  }

  private func startThread() {
    let thread = Thread { self.work() }
    thread.stackSize = WorkerThreads.stackSize
    thread.start()
  }

  private func work() {
    while let work = nextWork() { work() }
  }

  /// Returns the work that has waited longest; nil if the thread is no longer needed.
  private func nextWork() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      while state.firstTicket < state.nextTicket {
        defer { state.firstTicket += 1 }
        if let work = state.waiting.removeValue(forKey: state.firstTicket) { return work }
      }
      state.idleCount += 1
      let isSignalled = condition.wait(until: Date(timeIntervalSinceNow: WorkerThreads.longestIdleTime))
      state.idleCount -= 1
      if !isSignalled, state.waiting.isEmpty {
        state.threadCount -= 1
        return nil
      }
    }
  }
}

/// An operation and the task that waits for it. The thread that takes the continuation resumes it.
private final class Operation<T: Sendable>: Sendable {
  let interruption = Interruption()
  let continuation = Locked<CheckedContinuation<T, any Error>?>(nil)
  let ticket = Locked<UInt64?>(nil)

  func run(beginsInTransaction: Bool, _ body: () throws -> T) {
    let result = Swift.Result { () throws -> T in
      do {
        if beginsInTransaction { try requireNotInterrupted() } else { try interruption.begin() }
        return try Interruption.$current.withValue(interruption, operation: body)
      } catch {
        // An interrupted statement ends with an SQLite error, which other layers may have translated.
        throw interruption.isInterrupted ? CancellationError() : error
      }
    }
    resume(with: result)
  }

  func cancel(on threads: WorkerThreads) {
    interruption.interrupt()
    // An operation that has begun ends by itself, and its thread resumes the task: until then, its effect is unknown.
    guard !interruption.hasBegun else { return }
    if let ticket = ticket.withLock({ $0 }) { threads.withdraw(ticket) }
    resume(with: .failure(CancellationError()))
  }

  private func requireNotInterrupted() throws {
    if interruption.isInterrupted { throw CancellationError() }
  }

  private func resume(with result: Swift.Result<T, any Error>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
