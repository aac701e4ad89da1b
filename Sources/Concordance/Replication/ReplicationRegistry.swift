import DocumentStore
import Foundation

/// The running replications of a database, which are stopped before it is closed.
final class ReplicationRegistry: Sendable {
  private struct Entry {
    let stop: @Sendable () -> Void
    let ended: DispatchGroup
  }

  private let entries = Locked<[UUID: Entry]>([:])

  /// Adds a replication.
  ///
  /// - Parameter stop: begins to stop the replication, and returns without waiting.
  /// - Returns: a function to call when it has ended.
  func add(stop: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let id = UUID()
    let group = DispatchGroup()
    group.enter()
    entries.withLock { $0[id] = Entry(stop: stop, ended: group) }
    return { [self] in
      let removed = entries.withLock { $0.removeValue(forKey: id) }
      removed?.ended.leave()
    }
  }

  /// Stops all replications and waits until they have ended.
  func stopAll() {
    let running = entries.withLock { Array($0.values) }
    for entry in running { entry.stop() }
    for entry in running { entry.ended.wait() }
  }
}
