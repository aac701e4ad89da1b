import HTTPTypes
import Synchronization

/// Limits the number of running and waiting requests, and counts requests for `/metrics`.
final class RequestQueue: Sendable {
  private struct State {
    var runningCount = 0
    var totalCount = 0
    var refusedCount = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of requests that are currently running or waiting.
  var runningCount: Int { state.withLock { $0.runningCount } }
  /// The number of requests since the server started.
  var totalCount: Int { state.withLock { $0.totalCount } }
  /// The number of requests that were rejected because the queue was full.
  var refusedCount: Int { state.withLock { $0.refusedCount } }

  /// Runs `body` if the queue has room.
  ///
  /// - Throws: ``Problem`` with status 503 and `Retry-After` if the queue is full; any error that `body` throws.
  func run<T>(_ body: () async throws -> T) async throws -> T {
    let isFull = state.withLock { state in
      state.totalCount &+= 1
      guard state.runningCount < limit else {
        state.refusedCount &+= 1
        return true
      }
      state.runningCount += 1
      return false
    }
    if isFull { throw Problem.queueFull("\(limit) requests are running or waiting") }
    defer { state.withLock { $0.runningCount -= 1 } }
    return try await body()
  }
}
