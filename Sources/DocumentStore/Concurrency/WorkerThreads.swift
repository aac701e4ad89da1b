import Foundation

/// A bounded number of threads for calls that block, so that these never run on the cooperative pool of Swift's tasks, which has one
/// thread for each processor.
///
/// The threads are not those of Dispatch: on Linux its global queues share their threads with the cooperative pool. A thread starts when
/// there is work and none is idle, and ends after some seconds without work. Operations start in the order in which they arrive.
///
/// `@unchecked Sendable`: `state` is reached only under the lock of `condition`.
public final class WorkerThreads: @unchecked Sendable {
  private struct State {
    /// What waits for a thread, by ticket. Tickets are handed out in order.
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var firstTicket: UInt64 = 0
    var nextTicket: UInt64 = 0
    var threadCount = 0
    var idleCount = 0
  }

  private let maximumCount: Int
  private let condition = NSCondition()
  private var state = State()

  /// Seconds that a thread waits for more work.
  private static let longestIdleTime = 5.0
  /// As much as Dispatch gives its threads: parsers and SQLite are recursive.
  private static let stackSize = 8 << 20

  /// - Parameter maximumCount: how many operations run at a time.
  public init(maximumCount: Int) {
    self.maximumCount = max(1, maximumCount)
  }

  /// Calls `body` on one of the threads.
  ///
  /// When the task is cancelled before the operation has begun, this throws at once and `body` has no effect. Afterwards
  /// ``Interruption/current`` is interrupted, which ends reads.
  ///
  /// - Parameters:
  ///   - beginsInTransaction: whether the operation begins with its write transaction, and not as soon as it has a thread: then waiting
  ///     for another writer can be cancelled, too.
  ///   - body: what to call.
  /// - Throws: what `body` throws; `CancellationError` when the task was cancelled and `body` did not return a result.
  public func run<T: Sendable>(
    beginsInTransaction: Bool = false, _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    let operation = Operation<T>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        operation.continuation.withLock { $0 = continuation }
        let ticket = submit { operation.run(beginsInTransaction: beginsInTransaction, body) }
        operation.ticket.withLock { $0 = ticket }
        // Cancelled before there was a continuation or a ticket.
        if operation.interruption.isInterrupted { operation.cancel(on: self) }
      }
    } onCancel: {
      operation.cancel(on: self)
    }
  }

  /// Calls `work` on one of the threads, sooner or later.
  ///
  /// - Returns: a ticket for ``withdraw(_:)``.
  @discardableResult
  public func submit(_ work: @escaping @Sendable () -> Void) -> UInt64 {
    condition.lock()
    defer { condition.unlock() }
    let ticket = state.nextTicket
    state.nextTicket += 1
    state.waiting[ticket] = work
    if state.waiting.count > state.idleCount, state.threadCount < maximumCount {
      state.threadCount += 1
      startThread()
    }
    condition.signal()
    return ticket
  }

  /// Removes work that no thread has taken yet.
  func withdraw(_ ticket: UInt64) {
    // Freed outside of the lock: the closure may hold the last reference to a database.
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

  /// The work that has waited longest; nil when the thread is no longer needed.
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

/// An operation and the task that waits for it. Whoever takes the continuation resumes it.
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
        // An interrupted statement ends with an error of SQLite, which may have been put into other words on its way.
        throw interruption.isInterrupted ? CancellationError() : error
      }
    }
    resume(with: result)
  }

  func cancel(on threads: WorkerThreads) {
    interruption.interrupt()
    // What has begun ends by itself, and its thread resumes the task: until then, nobody knows what it did.
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
