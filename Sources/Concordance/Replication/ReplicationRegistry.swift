import DocumentStore
import Foundation

/// The running replications of a database, which are stopped before it is closed.
final class ReplicationRegistry: Sendable {
  private struct Entry {
    let stop: @Sendable () -> Void
    let ended: DispatchGroup
  }

  private let entries = Locked<[UUID: Entry]>([:])
  /// The number of nested callbacks of the program on each thread.
  private let callbackDepths = Locked<[UInt: Int]>([:])

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

  /// Whether this thread runs a callback of the program for which a replication waits. ``stopAll()`` would wait for the
  /// callback, so both would wait forever.
  var isInCallback: Bool { callbackDepths.withLock { $0[UInt(pthread_self())] } != nil }

  /// Calls a callback of the program, such as a filter.
  func call<T>(_ callback: () throws -> T) rethrows -> T {
    let thread = UInt(pthread_self())
    callbackDepths.withLock { $0[thread, default: 0] += 1 }
    defer {
      callbackDepths.withLock { depths in
        let depth = depths[thread, default: 1] - 1
        depths[thread] = depth > 0 ? depth : nil
      }
    }
    return try callback()
  }

  /// Stops all replications and waits until they have ended.
  func stopAll() {
    let running = entries.withLock { Array($0.values) }
    for entry in running { entry.stop() }
    for entry in running { entry.ended.wait() }
  }
}
