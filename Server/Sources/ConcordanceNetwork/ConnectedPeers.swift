import Concordance
import Logging
import Replication
import Synchronization

/// The connected peers of a listener or server.
final class ConnectedPeers: Sendable {
  /// Permits new connections until ``closeAll()`` is called.
  struct Admission: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private struct State {
    var admission: UInt64 = 0
    var peers: [UInt64: PassivePeer] = [:]
    var activeIDs: Set<UInt64> = []
    var lastID: UInt64 = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let logger: Logger

  /// - Parameter logger: receives errors of databases that close connections.
  init(logger: Logger) { self.logger = logger }

  var status: URLEndpointListener.ConnectionStatus {
    state.withLock { .init(connectionCount: $0.peers.count, activeConnectionCount: $0.activeIDs.count) }
  }

  /// Returns a permission for the connections of a listener that is being started.
  func admit() -> Admission { state.withLock { Admission(number: $0.admission) } }

  /// Serves a connection until it is closed. Closes it if ``closeAll()`` was called after `admission` was obtained: its
  /// handshake can be complete when the listener stops.
  func accept(
    _ transport: any ReplicationTransport, _ collections: [Concordance.Collection], isReadOnly: Bool,
    _ admission: Admission
  ) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let peer = PassivePeer(transport: transport, collections: collections, isReadOnly: isReadOnly) {
      [weak self] in self?.update(id, $0)
    }
    let isAdmitted = state.withLock { state in
      guard state.admission == admission.number else { return false }
      state.peers[id] = peer
      return true
    }
    if isAdmitted { peer.start() } else { transport.close(code: 4001, reason: "the listener was stopped") }
  }

  /// Closes all connections, including those that are being accepted; clients may connect again.
  func closeAll() {
    let peers = state.withLock { state in
      state.admission += 1
      return Array(state.peers.values)
    }
    for peer in peers { peer.close(code: 4001) }
  }

  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.peers.isEmpty { state.waiters.append(continuation) }
        return state.peers.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }

  private func update(_ id: UInt64, _ status: PassivePeer.Status) {
    if status.isClosed, let error = status.databaseError {
      logger.error("a replication was interrupted by an error of the database: \(error.message)")
    }
    let (waiters, peer) = state.withLock { state in
      var closed: PassivePeer?
      if status.isActive, !status.isClosed { state.activeIDs.insert(id) } else { state.activeIDs.remove(id) }
      if status.isClosed { closed = state.peers.removeValue(forKey: id) }
      guard state.peers.isEmpty else { return ([CheckedContinuation<Void, Never>](), closed) }
      defer { state.waiters = [] }
      return (state.waiters, closed)
    }
    // The last reference to the database may be released here, outside the lock.
    _ = peer
    waiters.forEach { $0.resume() }
  }
}
