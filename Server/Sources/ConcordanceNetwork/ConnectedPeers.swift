import Concordance
import Replication
import Synchronization

/// The connected peers of a listener or server.
final class ConnectedPeers: Sendable {
  private struct State {
    var peers: [UInt64: PassivePeer] = [:]
    var activeCount: Set<UInt64> = []
    var lastID: UInt64 = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var status: URLEndpointListener.ConnectionStatus {
    state.withLock { .init(connectionCount: $0.peers.count, activeConnectionCount: $0.activeCount.count) }
  }

  /// Serves a connection until it is closed.
  func accept(_ transport: any ReplicationTransport, _ collections: [Concordance.Collection], isReadOnly: Bool) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let peer = PassivePeer(transport: transport, collections: collections, isReadOnly: isReadOnly) {
      [weak self] in self?.update(id, $0)
    }
    state.withLock { $0.peers[id] = peer }
    peer.start()
  }

  /// Closes all connections; clients may connect again.
  func closeAll() {
    for peer in state.withLock({ Array($0.peers.values) }) { peer.close(code: 4001) }
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
    let (waiters, peer) = state.withLock { state in
      var closed: PassivePeer?
      if status.isActive, !status.isClosed { state.activeCount.insert(id) } else { state.activeCount.remove(id) }
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
