import PostgresAccess
import Synchronization

/// Reads the state of the database. While nobody writes, this takes no round trip: commits notify the connection.
///
/// A notification is only a hint, because a connection pooler may drop it: the state is read at least once a second.
final class CommitWatch: Sendable {
  /// The channel of `NOTIFY`.
  static let channel = "concordance"
  /// The statement in a transaction that notifies watches when it is committed.
  static let notification = PostgresStatement("SELECT pg_notify('\(channel)', '')")

  private static let selection = PostgresStatement("SELECT state FROM cx_manifest")
  private static let longestTrust = Duration.seconds(1)
  /// The time for which a statement may wait for the server.
  private static let longestWait = Duration.seconds(5)

  private let watch = Mutex<Watch?>(nil)
  private let isClosed = Atomic(false)
  private let pool: ConnectionPool

  init(_ pool: ConnectionPool) { self.pool = pool }

  /// The state of the database.
  struct State {
    /// The number of committed write transactions.
    let number: Int64
    /// The value that identifies the database; nil if its row is missing.
    let identity: String?
  }

  /// Returns the state of the database.
  func read() throws -> State {
    defer { releaseIfClosed() }
    return try watch.withLock { watch in
      do {
        var current = try watch ?? open()
        let isNotified = try !current.connection.notifications(CommitWatch.channel).isEmpty
        let now = ContinuousClock.now
        if let last = current.last, current.isListening, !isNotified, now - last.time < CommitWatch.longestTrust {
          return last.state
        }
        current.connection.limitWait(to: CommitWatch.longestWait)
        let results = try current.connection.run([CommitWatch.selection, StoreAdministration.identitySelection])
        let state = State(number: results[0].int64(0, 0), identity: StoreAdministration.identity(results[1]))
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
    connection.limitWait(to: CommitWatch.longestWait)
    do {
      try connection.execute("LISTEN \(CommitWatch.channel)")
      return Watch(connection: connection, isListening: true)
    } catch let error as PostgresError where connection.isConnected && error.kind != .connectionLost {
      // A standby does not permit it.
      return Watch(connection: connection, isListening: false)
    }
  }

  /// Closes the connection. This does not wait for a call that is waiting for the server.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    releaseIfClosed()
  }

  /// Closes the connection after ``close()``, unless another thread is using it, which then does this.
  private func releaseIfClosed() {
    guard isClosed.load(ordering: .sequentiallyConsistent) else { return }
    _ = watch.withLockIfAvailable { $0 = nil }
  }
}

/// A connection that is not inside a transaction, and the last state that it has read.
///
/// `@unchecked Sendable`: used only under the lock of `watch`.
private struct Watch: @unchecked Sendable {
  let connection: PostgresConnection
  /// Whether the connection is notified.
  let isListening: Bool
  var last: (state: CommitWatch.State, time: ContinuousClock.Instant)?
}
