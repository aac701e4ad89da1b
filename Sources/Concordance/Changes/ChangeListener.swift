import DocumentStore
import Foundation

/// A listener with what it has not been told yet.
///
/// A listener of a collection gets the changes that arrive while it is called in one more call, so that a slow listener holds
/// up nobody and gathers no more than the ids that have changed. A listener of a document is called once for each change.
///
/// `@unchecked Sendable`: every variable is accessed only under `lock`. `call` need not be `Sendable`, since programs that were
/// written for Couchbase Lite give closures that are not: it runs on the queue that the caller has given, and never twice
/// at a time, since the next call is put on the queue when one has returned.
final class ChangeListener: @unchecked Sendable {
  /// The collection that it listens to.
  let collection: CollectionRecord
  /// The document that it listens to; nil for all of them.
  let documentID: String?
  /// The last change of the collection when it was added. It hears of later ones.
  let start: Int64

  private let queue: DispatchQueue
  private let lock = NSLock()
  /// Nil when the listener was removed.
  private var call: (([String]) -> Void)?
  private var onEnd: (() -> Void)?
  private var pending: [String] = []
  /// How many ids may wait before duplicates are removed: a queue that is held up must not gather all changes of an hour. A
  /// listener of a document then misses calls, but not the last one.
  private var pendingLimit = ChangeListener.smallestLimit
  private var isScheduled = false
  /// Has the store announce the changes of the document.
  private let observation: CommitObservation?
  private static let smallestLimit = 1 << 16

  /// Makes a listener.
  ///
  /// - Parameters:
  ///   - call: gets the ids of changed documents.
  ///   - onEnd: is called when the database ends the listening.
  ///   - observation: lasts as long as the listener.
  init(
    to collection: CollectionRecord, documentID: String?, after start: Int64, on queue: DispatchQueue,
    call: @escaping ([String]) -> Void, onEnd: (() -> Void)?, observation: CommitObservation?
  ) {
    self.collection = collection
    self.documentID = documentID
    self.start = start
    self.queue = queue
    self.call = call
    self.onEnd = onEnd
    self.observation = observation
  }

  /// Has the listener called soon: once, or, for a listener of a document, once for each element.
  func deliver(_ ids: [String]) {
    lock.withLock {
      guard call != nil else { return }
      if pending.isEmpty { pending = ids } else { pending += ids }
      if pending.count > pendingLimit {
        pending = ChangeListener.uniqued(pending)
        pendingLimit = max(ChangeListener.smallestLimit, 2 * pending.count)
      }
      if !isScheduled { schedule() }
    }
  }

  /// Sees to it that no call starts any more.
  func remove() { takeEnd() }

  /// Removes the listener because there is nothing to listen to any more, and says so.
  func end() { takeEnd()?() }

  @discardableResult
  private func takeEnd() -> (() -> Void)? {
    // What closures hold is let go outside the lock: it may end with code that comes back here.
    let (removedCall, removedEnd) = lock.withLock {
      defer { (call, onEnd, pending) = (nil, nil, []) }
      return (call, onEnd)
    }
    withExtendedLifetime(removedCall) {}
    observation?.cancel()
    return removedEnd
  }

  private func schedule() {
    isScheduled = true
    queue.async { self.run() }
  }

  private func run() {
    let next: (call: ([String]) -> Void, ids: [String])? = lock.withLock {
      guard let call else { return nil }
      // All ids that wait for a listener of a document are the same.
      if documentID != nil { return (call, pending.popLast().map { [$0] } ?? []) }
      defer { pending = [] }
      return (call, pending)
    }
    guard let next else { return }
    next.call(ChangeListener.uniqued(next.ids))
    lock.withLock {
      isScheduled = false
      if !pending.isEmpty { schedule() }
    }
  }

  /// Every id once, where it stands last.
  private static func uniqued(_ ids: [String]) -> [String] {
    guard ids.count > 1 else { return ids }
    var seen: Set<String> = []
    seen.reserveCapacity(ids.count)
    return ids.reversed().filter { seen.insert($0).inserted }.reversed()
  }
}
