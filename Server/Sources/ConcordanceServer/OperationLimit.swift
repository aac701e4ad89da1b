import HTTPTypes
import Synchronization

/// Limits the number of operations that run concurrently, so that slow operations leave threads for fast ones. Further
/// operations wait in order of arrival; if too many are waiting, they are rejected.
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

  /// The permission to run an operation. It ends when the last reference to it is released, so a response whose body is
  /// never written also releases it.
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
  ///   - operations: the plural name of the operations for messages, and what the limit applies to.
  ///   - runningLimit: the maximum number of running operations.
  ///   - waitingLimit: the maximum number of waiting operations.
  init(_ operations: String, running runningLimit: Int, waiting waitingLimit: Int) {
    (self.operations, self.runningLimit, self.waitingLimit) = (operations, runningLimit, waitingLimit)
  }

  /// Waits until the operation may run.
  ///
  /// - Throws: ``Problem`` with status 503 and `Retry-After` if too many operations are waiting; `CancellationError`.
  func permit() async throws -> Permit {
    let number = state.withLock { state in
      state.lastNumber &+= 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // If the task is cancelled after this check, the handler waits for the lock and then finds the waiter.
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
    .queueFull("\(runningLimit + waitingLimit) \(operations) are running or waiting")
  }

  /// The number of operations that are currently running.
  var runningCount: Int { state.withLock { $0.runningCount } }

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
  let greps = OperationLimit("grep requests on this database", running: 2, waiting: 32)
  /// Each stream of rows or documents has its own connection to the file: two descriptors and about 2 MB of memory.
  let rows = OperationLimit("streams of rows or documents on this database", running: 64, waiting: 32)
  /// Changes to indexes and collections run on their own threads because they wait for other writers.
  let definitions = OperationLimit("changes to indexes and collections on this database", running: 8, waiting: 32)
}
