import HTTPTypes
import Synchronization

/// Limits the number of operations that run at the same time, so that slow operations leave threads for fast ones.
/// Further operations wait in order of arrival; if too many wait, they are refused.
final class OperationLimit: Sendable {
  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var runningCount = 0
    var lastNumber: UInt64 = 0
    var waiters: [Waiter] = []
  }

  /// The permission to run an operation. It ends when the last reference to it is released, so that a response whose
  /// body is never written releases it as well.
  final class Permit: Sendable {
    private let limit: OperationLimit

    fileprivate init(_ limit: OperationLimit) { self.limit = limit }

    deinit { limit.didEnd() }
  }

  private let operations: String
  private let runningLimit: Int
  private let waitingLimit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - operations: the plural that names the operations in messages.
  ///   - runningLimit: the maximum number of operations that run.
  ///   - waitingLimit: the maximum number of operations that wait.
  init(_ operations: String, running runningLimit: Int, waiting waitingLimit: Int) {
    (self.operations, self.runningLimit, self.waitingLimit) = (operations, runningLimit, waitingLimit)
  }

  /// Waits until the operation may run.
  ///
  /// - Throws: ``Problem`` with the status 503 and `Retry-After` if too many operations wait; `CancellationError`.
  func permit() async throws -> Permit {
    let number = state.withLock { state in
      state.lastNumber &+= 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A cancellation after this check finds the waiter, because it waits for the lock.
        let result = state.withLock { state -> Swift.Result<Void, any Error>? in
          if state.runningCount < runningLimit {
            state.runningCount += 1
            return .success(())
          }
          guard state.waiters.count < waitingLimit else { return .failure(refusal) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    return Permit(self)
  }

  private var refusal: Problem {
    var problem = Problem(
      .serviceUnavailable, "queue_full",
      "\(runningLimit + waitingLimit) \(operations) of this database are running or waiting; try again in a second")
    problem.headers[.retryAfter] = "1"
    return problem
  }

  private func didEnd() {
    let next = state.withLock { state -> Waiter? in
      if state.waiters.isEmpty {
        state.runningCount -= 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume()
  }
}

/// The limits of the slow operations of a database.
struct DatabaseLimits: Sendable {
  /// A grep occupies one of the four threads of ``AsyncDatabase/perform(_:)`` until its client has read the results.
  let greps = OperationLimit("grep requests", running: 2, waiting: 32)
  /// Changes of indexes and collections have threads of their own, because they wait for other writers.
  let definitions = OperationLimit("changes of indexes and collections", running: 8, waiting: 32)
}
