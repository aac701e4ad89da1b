import DocumentStore
package import PostgresAccess
import Synchronization

/// The connections to one server of a database. A transaction takes one and returns it when it ends.
package final class ConnectionPool: Sendable {
  /// The address.
  package let address: String
  private let settings: PostgresSettings
  private let idle = Mutex<[IdleConnection]>([])
  /// The error of the last attempt to connect to a server that did not answer, until it is worth another attempt.
  private let outage = Mutex<(error: PostgresError, end: ContinuousClock.Instant)?>(nil)

  /// The maximum number of idle connections.
  private static let maximumIdleCount = 8
  /// The time for which no further attempt is made to connect to a server that did not answer. A search connects
  /// several times.
  private static let outageDuration = Duration.seconds(5)

  /// Creates a pool without connections.
  package init(_ address: String, _ settings: PostgresSettings) {
    self.address = address
    self.settings = settings
  }

  /// Returns an idle connection, unless the server has closed it, or a new one. A request with a ``Deadline`` waits at
  /// most half of its time for it.
  ///
  /// - Throws: `PostgresError`.
  package func take() throws -> PostgresConnection {
    while let candidate = idle.withLock({ $0.popLast() }) {
      if candidate.connection.isAlive() { return candidate.connection }
    }
    if let error = outage.withLock({ $0.flatMap { ContinuousClock.now < $0.end ? $0.error : nil } }) { throw error }
    var settings = settings
    if let remaining = Deadline.current?.remaining {
      // The other half of the time is for the servers that answer. libpq waits for at least two seconds.
      // Compared as numbers with a fraction, because a time limit can exceed the range of Int.
      settings.connectTimeout = Int(max(2, min(Double(settings.connectTimeout), remaining / .seconds(2))))
    }
    let start = ContinuousClock.now
    do { return try PostgresConnection(address, settings) } catch let error as PostgresError
      where error.kind == .notConnected && start.duration(to: .now) > .seconds(1)
    {
      outage.withLock { $0 = (error, .now + ConnectionPool.outageDuration) }
      throw error
    }
  }

  /// Returns whether a server accepts or refuses a new connection before the time limit for it. A refusal can take
  /// seconds, for example if the server asks another one for the user, and is an answer too.
  ///
  /// - Parameters:
  ///   - server: the server. Others of the address are not asked, because their answers would say nothing about it.
  ///   - seconds: the time to wait, whatever the address or `PGCONNECT_TIMEOUT` specifies: a refusal may take longer
  ///     than a request would wait.
  func isAnswering(_ server: PostgresServer, within seconds: Int) -> Bool {
    var settings = settings
    settings.server = server
    settings.connectTimeout = seconds
    settings.overridesConnectTimeout = true
    do {
      _ = try PostgresConnection(address, settings)
      return true
    } catch { return (error as? PostgresError)?.isTimeout != true }
  }

  /// Returns a connection, which is closed if it is inside a transaction or was lost.
  package func put(_ connection: PostgresConnection) {
    connection.checkInterruption = {}
    guard connection.isConnected, !connection.isInTransaction else { return }
    connection.wasCancelled = false
    let returned = IdleConnection(connection: connection)
    idle.withLock { if $0.count < ConnectionPool.maximumIdleCount { $0.append(returned) } }
  }

  /// Calls `body` with a connection, which is returned afterwards.
  ///
  /// - Parameter limit: the longest time for which the statements of `body` wait for the server.
  /// - Throws: `PostgresError` if no connection can be made, and the error of `body`.
  package func withConnection<T>(waiting limit: Duration? = nil, _ body: (PostgresConnection) throws -> T) throws -> T {
    let connection = try take()
    defer { put(connection) }
    if let limit { connection.limitWait(to: limit) }
    return try body(connection)
  }

  /// Closes the idle connections.
  package func removeAll() { idle.withLock { $0 = [] } }
}

/// An idle connection, whose holder is its only user.
///
/// `@unchecked Sendable`: it is in the list of idle connections, which is accessed under its lock, or is used by the
/// transaction that took it.
private struct IdleConnection: @unchecked Sendable {
  let connection: PostgresConnection
}

extension PostgresConnection {
  /// Limits the time for which the statements wait that follow, until the connection is returned to its pool.
  func limitWait(to limit: Duration) {
    let (end, name) = (ContinuousClock.now + limit, name)
    checkInterruption = {
      guard ContinuousClock.now < end else {
        throw PostgresError(.connectionLost, "\(name): the server has not answered within \(limit)")
      }
    }
  }
}
