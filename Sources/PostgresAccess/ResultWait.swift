import CPostgres
import Foundation

/// Waits for results of a connection without blocking in libpq, so that the wait can be interrupted and so that results
/// are read while statements are still being sent.
struct ResultWait {
  private let connection: PostgresConnection
  private var functions: CPostgresFunctions { connection.functions }
  private var isSending = true
  /// The error of ``PostgresConnection/checkInterruption``. The server was asked to cancel, and results are still read
  /// until ``checkTime``.
  private var interruption: (any Error)?
  /// Entered while the request to cancel is being sent.
  private var cancellation: DispatchGroup?
  /// The time of the next check for an interruption; after one, the end of the wait.
  private var checkTime = DispatchTime.now() + .milliseconds(Int(ResultWait.interval))

  /// The time in milliseconds between two checks.
  private static let interval: Int32 = 50

  init(_ connection: PostgresConnection) { self.connection = connection }

  /// Returns the next result, or nil at the end of a statement's results.
  mutating func next() throws -> OpaquePointer? {
    while isSending || functions.isBusy(connection.connection) == 1 {
      if isSending {
        let state = functions.flush(connection.connection)
        guard state >= 0 else { throw connection.lostConnection() }
        isSending = state == 1
        if !isSending { continue }
      }
      try wait()
    }
    return functions.getResult(connection.connection)
  }

  /// Sends what is buffered.
  mutating func flush() throws {
    isSending = true
    while true {
      let state = functions.flush(connection.connection)
      guard state >= 0 else { throw connection.lostConnection() }
      guard state == 1 else { break }
      try wait()
    }
    isSending = false
  }

  /// Returns the error of an interruption, after the request to cancel was sent: it must not cancel a later statement.
  func endInterruption() -> (any Error)? {
    guard let interruption else { return nil }
    connection.wasCancelled = true
    if cancellation?.wait(timeout: checkTime) == .timedOut { connection.isAbandoned = true }
    return interruption
  }

  private mutating func wait() throws {
    guard !connection.isAbandoned else { throw connection.lostConnection() }
    var descriptor = pollfd(
      fd: functions.socket(connection.connection), events: Int16(POLLIN | (isSending ? POLLOUT : 0)), revents: 0)
    guard descriptor.fd >= 0 else { throw connection.lostConnection() }
    let count = poll(&descriptor, 1, ResultWait.interval)
    guard count >= 0 || errno == EINTR else { throw connection.lostConnection() }
    if count > 0, descriptor.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
      guard functions.consumeInput(connection.connection) == 1 else { throw connection.lostConnection() }
      connection.lastInput = .now
    }
    try checkInterruption()
  }

  /// Checks by the clock, because a long result can arrive without a pause.
  private mutating func checkInterruption() throws {
    guard DispatchTime.now() >= checkTime else { return }
    if let interruption {
      connection.isAbandoned = true
      throw interruption
    }
    checkTime = .now() + .milliseconds(Int(ResultWait.interval))
    do { try connection.checkInterruption() } catch {
      interruption = error
      cancellation = connection.cancel()
      checkTime = .now() + connection.cancellationLimit
    }
  }
}
