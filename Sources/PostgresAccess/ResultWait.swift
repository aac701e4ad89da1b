import CPostgres
import Foundation

/// Waits for results of a connection without blocking in libpq, so that the wait can be interrupted and so that results
/// are read while statements are still being sent.
struct ResultWait {
  private let connection: PostgresConnection
  private var functions: CPostgresFunctions { connection.functions }
  private var isSending = true
  /// The error of ``PostgresConnection/checkInterruption``. The server was asked to cancel, and results are still read.
  private(set) var interruption: (any Error)?

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

  private mutating func wait() throws {
    var descriptor = pollfd(
      fd: functions.socket(connection.connection), events: Int16(POLLIN | (isSending ? POLLOUT : 0)), revents: 0)
    guard descriptor.fd >= 0 else { throw connection.lostConnection() }
    let count = poll(&descriptor, 1, ResultWait.interval)
    guard count >= 0 || errno == EINTR else { throw connection.lostConnection() }
    if count > 0, descriptor.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
      guard functions.consumeInput(connection.connection) == 1 else { throw connection.lostConnection() }
    }
    guard interruption == nil else { return }
    do {
      if count == 0 { try connection.checkInterruption() }
    } catch {
      interruption = error
      connection.cancel()
    }
  }
}
