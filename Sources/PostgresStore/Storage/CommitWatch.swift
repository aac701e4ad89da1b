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
  private static let maximumStateAge = Duration.seconds(1)
  /// The time for which a statement may wait for the server.
  private static let longestWait = Duration.seconds(5)

  private let holder = Mutex(Holder())
  private let pool: ConnectionPool

  private struct Holder {
    /// The connection, unless a call of ``read()`` is using it.
    var watch: Watch?
    /// The number of calls of ``release()``.
    var releaseCount = 0
    var isClosed = false
  }

  init(_ pool: ConnectionPool) { self.pool = pool }

  /// The state of the database.
  struct State {
    /// The number of committed write transactions.
    let number: Int64
    /// The value that identifies the database; nil if its row is missing.
    let identity: String?
  }

  /// Returns the state of the database.
  ///
  /// A call waits for the server without a lock. Another one uses a connection of its own meanwhile.
  func read() throws -> State {
    let (taken, releaseCount) = holder.withLock { holder in
      defer { holder.watch = nil }
      return (holder.watch, holder.releaseCount)
    }
    var current = try taken ?? open()
    let state = try CommitWatch.state(through: &current)
    let kept = current
    holder.withLock { holder in
      if !holder.isClosed, holder.releaseCount == releaseCount { holder.watch = kept }
    }
    return state
  }

  private static func state(through watch: inout Watch) throws -> State {
    let isNotified = try !watch.connection.notifications(channel).isEmpty
    let now = ContinuousClock.now
    if let last = watch.last, watch.isListening, !isNotified, now - last.time < maximumStateAge { return last.state }
    watch.connection.limitWait(to: longestWait)
    let results = try watch.connection.run([selection, StoreAdministration.identitySelection])
    let state = State(number: results[0].int64(0, 0), identity: StoreAdministration.identity(results[1]))
    watch.last = (state, now)
    return state
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

  /// Closes the connection until the state is read again. The server keeps notifications for a connection that does not
  /// read them. This does not wait for a call that is waiting for the server.
  func release() {
    let released = holder.withLock { holder in
      defer { holder.watch = nil }
      holder.releaseCount += 1
      return holder.watch
    }
    // Closed without the lock.
    _ = released
  }

  /// Closes the connection, and those of later calls when they return.
  func close() {
    holder.withLock { $0.isClosed = true }
    release()
  }

  /// Whether a connection is open that no call is using.
  var isOpen: Bool { holder.withLock { $0.watch != nil } }
}

/// A connection that is not inside a transaction, and the last state that it has read.
///
/// `@unchecked Sendable`: it is in the holder, under its lock, or used by the one call of ``CommitWatch/read()`` that
/// has taken it from there.
private struct Watch: @unchecked Sendable {
  let connection: PostgresConnection
  /// Whether the connection is notified.
  let isListening: Bool
  var last: (state: CommitWatch.State, time: ContinuousClock.Instant)?
}
