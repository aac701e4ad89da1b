import PostgresAccess

/// Notices that a server does not answer while a write transaction waits for it.
///
/// A statement may take long, and a commit may wait for a synchronous standby, so there is no limit for them. After a
/// minute, another connection asks whether the server answers at all. The kernel of a machine acknowledges what it
/// receives even if the server hangs, so the time limits of TCP do not notice it.
///
/// It is used by the thread that uses the connection.
final class SilenceCheck {
  private let pool: ConnectionPool
  private let name: String
  private let probeDelay: Duration
  /// The time in seconds for which the server may take to accept a connection.
  private let connectTimeout: Int
  /// The beginning of the wait, or the end of the last question.
  private var start = ContinuousClock.now
  /// The last call of ``check(_:lastInput:)``.
  private var last = ContinuousClock.now

  /// The longest time between two calls of ``check(_:lastInput:)`` while the connection waits.
  private static let longestPause = Duration.seconds(1)

  /// Creates a check for a connection of a pool.
  ///
  /// - Parameters:
  ///   - name: the address of the server without a password, for the message.
  ///   - probeDelay: the time after which the server is asked.
  ///   - connectTimeout: the time in seconds for which it may take to accept a connection.
  init(_ pool: ConnectionPool, name: String, probeDelay: Duration = .seconds(60), connectTimeout: Int = 30) {
    self.pool = pool
    self.name = name
    self.probeDelay = probeDelay
    self.connectTimeout = connectTimeout
  }

  /// Called several times a second while a connection waits.
  ///
  /// - Parameters:
  ///   - server: the server of the connection.
  ///   - lastInput: the last time at which the connection has received something.
  /// - Throws: ``PostgresError`` of kind `connectionLost` if the server does not answer.
  func check(_ server: PostgresServer, lastInput: ContinuousClock.Instant) throws {
    let now = ContinuousClock.now
    if now - last > SilenceCheck.longestPause { start = now }
    last = now
    guard now - max(start, lastInput) >= probeDelay else { return }
    guard pool.isAnswering(server, within: connectTimeout) else {
      throw PostgresError(
        .connectionLost,
        "\(name): the server has not answered for \(probeDelay), and does not accept other connections either")
    }
    last = .now
    start = last
  }
}
