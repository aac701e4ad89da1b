import Concordance
import Foundation

/// Determines for `/health` whether the PostgreSQL server of a database answers.
///
/// A result is used for a second. At most one check runs at a time. It has a separate thread, because it may wait for a server that
/// is down, and requests that also wait for it may occupy the threads of the database.
actor DatabaseServerCheck {
  /// The time for which a request waits for a check.
  private static let longestWait: Duration = .seconds(2)
  private static let validity: Duration = .seconds(1)

  private let database: Database
  private var last: (isAvailable: Bool, time: ContinuousClock.Instant)?
  private var running: Task<Bool, Never>?

  init(_ database: Database) { self.database = database }

  /// Returns whether the server has answered within the last seconds.
  func isAvailable() async -> Bool {
    if let last, ContinuousClock.now - last.time < DatabaseServerCheck.validity { return last.isAvailable }
    let check = running ?? start()
    let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
    Task {
      continuation.yield(await check.value)
      continuation.finish()
    }
    let limit = Task {
      try? await Task.sleep(for: DatabaseServerCheck.longestWait)
      continuation.yield(false)
      continuation.finish()
    }
    var isAvailable = false
    for await result in results {
      isAvailable = result
      break
    }
    limit.cancel()
    last = (isAvailable, ContinuousClock.now)
    return isAvailable
  }

  private func start() -> Task<Bool, Never> {
    let database = database
    let check: Task<Bool, Never> = Task {
      let isAvailable = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        Thread.detachNewThread {
          do {
            try database.checkServer()
            continuation.resume(returning: true)
          } catch {
            continuation.resume(returning: false)
          }
        }
      }
      running = nil
      return isAvailable
    }
    running = check
    return check
  }
}
