import Concordance
import Foundation
import HTTPTypes
import Logging

/// Determines for `/health` whether the PostgreSQL servers of a database answer and have its tables.
///
/// A result is used for a second. At most one check runs at a time. It has a separate thread, because it may wait for a
/// server that is down, and requests that also wait for it may occupy the threads of the database.
actor DatabaseServerCheck {
  /// The time for which a request waits for a check.
  private static let longestWait: Duration = .seconds(2)
  private static let validity: Duration = .seconds(1)

  private let database: Database
  private let logger: Logger
  private var last: (problem: Problem?, time: ContinuousClock.Instant)?
  private var running: Task<Problem?, Never>?
  /// The error that was logged last; nil after a check that has succeeded.
  private var logged: String?

  init(_ database: Database, _ logger: Logger) { (self.database, self.logger) = (database, logger) }

  /// Returns the problem of the database, at most one second old; nil if the database can be used.
  func problem() async -> Problem? {
    if let last, ContinuousClock.now - last.time < DatabaseServerCheck.validity { return last.problem }
    let check = running ?? start()
    let (results, continuation) = AsyncStream.makeStream(of: Problem?.self)
    Task {
      continuation.yield(await check.value)
      continuation.finish()
    }
    let limit = Task {
      try? await Task.sleep(for: DatabaseServerCheck.longestWait)
      continuation.yield(Problem.serverUnavailable(isRepeatable: true))
      continuation.finish()
    }
    var iterator = results.makeAsyncIterator()
    let result = await iterator.next(isolation: self)
    limit.cancel()
    // If the request was cancelled, there is no result, and nobody receives the response.
    guard let problem = result else { return nil }
    last = (problem, ContinuousClock.now)
    return problem
  }

  private func start() -> Task<Problem?, Never> {
    let database = database
    let check: Task<Problem?, Never> = Task {
      let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
        Thread.detachNewThread {
          do {
            try database.checkServer()
            continuation.resume(returning: nil)
          } catch {
            continuation.resume(returning: error)
          }
        }
      }
      running = nil
      note(error)
      return error.map { DatabaseServerCheck.problem($0) }
    }
    running = check
    return check
  }

  /// Logs an error that differs from the last one.
  private func note(_ error: (any Error)?) {
    let message = error.map { "\($0)" }
    if let message, message != logged { logger.error("\(database.name): \(message)") }
    logged = message
  }

  /// Returns the problem for an error, without addresses, because `/health` requires no token.
  private static func problem(_ error: any Error) -> Problem {
    let problem = Problem(error)
    guard problem.status != .serviceUnavailable else { return problem }
    return Problem(
      .serviceUnavailable, "database_damaged",
      "the database cannot be read on its PostgreSQL server; the log of this server contains the reason")
  }
}
