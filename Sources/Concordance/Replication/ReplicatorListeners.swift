import DocumentStore
import Foundation

/// The serial queues on which a replicator calls the listeners of a program, one for each queue that the program
/// passed. Listeners of documents and of the status share it, so that the end of a replication is reported after its
/// documents.
final class ReplicatorQueues: Sendable {
  private let queues = Locked<[ObjectIdentifier: DispatchQueue]>([:])

  /// Returns the serial queue whose target is a queue of the program, which may be concurrent.
  func serialQueue(targeting target: DispatchQueue) -> DispatchQueue {
    queues.withLock { queues in
      // The serial queue keeps its target alive, so the identifier is not reused.
      if let queue = queues[ObjectIdentifier(target)] { return queue }
      let queue = DispatchQueue(label: "concordance.replicator.listener", target: target)
      queues[ObjectIdentifier(target)] = queue
      return queue
    }
  }
}

/// Calls the listeners of a replicator with all events, in order, each on a serial queue.
final class ReplicatorListeners<Event: Sendable>: Sendable {
  private let listeners = Locked<[UUID: ReplicatorListener<Event>]>([:])

  var isEmpty: Bool { listeners.withLock { $0.isEmpty } }

  /// - Parameter queue: a serial queue.
  func add(on queue: DispatchQueue, _ call: @escaping (Event) -> Void) -> ListenerToken {
    let id = UUID()
    let listener = ReplicatorListener<Event>(queue: queue, call: call)
    listeners.withLock { $0[id] = listener }
    return ListenerToken { [weak self] in
      listener.isRemoved.withLock { $0 = true }
      let removed = self?.listeners.withLock { $0.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Returns the current listeners. Listeners that are added later do not receive events that are delivered to the
  /// returned ones.
  var receivers: Receivers { Receivers(listeners: listeners.withLock { Array($0.values) }) }

  func deliver(_ event: Event) { receivers.deliver(event) }

  /// The listeners at one point in time.
  struct Receivers {
    fileprivate let listeners: [ReplicatorListener<Event>]

    func deliver(_ event: Event) {
      for listener in listeners { listener.deliver(event) }
    }
  }
}

/// A listener.
///
/// `@unchecked Sendable`: `call` need not be `Sendable`, because programs written for Couchbase Lite pass closures
/// that are not. It needs no lock, because it is called only on the serial queue `queue`, after a check of `isRemoved`.
private final class ReplicatorListener<Event: Sendable>: @unchecked Sendable {
  let queue: DispatchQueue
  let call: (Event) -> Void
  let isRemoved = Locked(false)

  init(queue: DispatchQueue, call: @escaping (Event) -> Void) {
    self.queue = queue
    self.call = call
  }

  func deliver(_ event: Event) {
    queue.async { [self] in
      if !isRemoved.withLock({ $0 }) { call(event) }
    }
  }
}
