import PostgresAccess
import Synchronization

/// Changes of a write transaction that another thread sends through the connection of a node, one after the other,
/// while the client encodes the next ones.
///
/// The connection must not be used before ``wait()`` has returned. After an error, later changes are not sent.
final class BackgroundSends: Sendable {
  private let queue = BoundedSerialQueue(limit: 2)
  private let state = Mutex(State())

  private struct State {
    var failure: (any Error)?
    var roundTripCount = 0
  }

  /// Sends a change soon. Waits while too many are waiting.
  ///
  /// - Parameter send: sends it, and uses nothing else that the transaction uses.
  func add(_ connection: PostgresConnection, _ send: @escaping (PostgresConnection) throws -> Void) {
    let change = Change(connection: connection, send: send)
    queue.add { [self] in
      guard state.withLock({ $0.failure == nil }) else { return }
      let before = change.connection.roundTripCount
      let outcome = Result { try change.send(change.connection) }
      state.withLock { state in
        state.roundTripCount += change.connection.roundTripCount - before
        if case .failure(let error) = outcome { state.failure = error }
      }
    }
  }

  /// Waits until all changes are sent.
  func wait() { queue.wait() }

  /// Waits until all changes are sent, and resets the number of round trips and the error.
  ///
  /// - Returns: the number of round trips since the last call, and the first error.
  func finish() -> (roundTripCount: Int, failure: (any Error)?) {
    wait()
    return state.withLock { state in
      defer { state = State() }
      return (state.roundTripCount, state.failure)
    }
  }
}

/// A change and the connection that it is sent through.
///
/// `@unchecked Sendable`: the connection is used by the thread of the queue only, until ``BackgroundSends/wait()``
/// returns in the thread of the transaction.
private struct Change: @unchecked Sendable {
  let connection: PostgresConnection
  let send: (PostgresConnection) throws -> Void
}
