import PostgresAccess
import Synchronization

/// Reads the number of committed write transactions. While nobody writes, this takes no round trip: commits notify the
/// connection.
///
/// A notification is only a hint, because a connection pooler may drop it: the number is read at least once a second.
final class StateWatch: Sendable {
  /// The channel of `NOTIFY`.
  static let channel = "concordance"
  /// The statement in a transaction that notifies watches when it is committed.
  static let notification = PostgresStatement("SELECT pg_notify('\(channel)', '')")

  private static let longestTrust = Duration.seconds(1)

  private let watch = Mutex<Watch?>(nil)
  private let pool: ConnectionPool

  init(_ pool: ConnectionPool) { self.pool = pool }

  /// Returns the number of committed write transactions.
  func stateNumber() throws -> Int64 {
    try watch.withLock { watch in
      do {
        var current = try watch ?? open()
        let isNotified = try !current.connection.notifications(StateWatch.channel).isEmpty
        let now = ContinuousClock.now
        if let last = current.last, current.isListening, !isNotified, now - last.time < StateWatch.longestTrust {
          return last.state
        }
        let state = try current.connection.run("SELECT state FROM cx_manifest").int64(0, 0)
        current.last = (state, now)
        watch = current
        return state
      } catch {
        watch = nil
        throw error
      }
    }
  }

  private func open() throws -> Watch {
    let connection = try pool.take()
    let isListening = (try? connection.execute("LISTEN \(StateWatch.channel)")) != nil
    return Watch(connection: connection, isListening: isListening)
  }

  func close() { watch.withLock { $0 = nil } }
}

/// A connection that is not inside a transaction, and the last number that it has read.
///
/// `@unchecked Sendable`: used only under the lock of `watch`.
private struct Watch: @unchecked Sendable {
  let connection: PostgresConnection
  /// Whether the connection is notified. A standby does not permit it.
  let isListening: Bool
  var last: (state: Int64, time: ContinuousClock.Instant)?
}
