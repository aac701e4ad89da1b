import DocumentStore
import Foundation
import JSONText

/// A change listener and the ids for its next call.
///
/// Changes that arrive while a collection listener is running are delivered together in the next call, so a slow
/// listener does not block writers and receives each changed id only once. A document listener is called once for each
/// change.
///
/// `@unchecked Sendable`: every variable is accessed only under `lock`. `call` need not be `Sendable`, because programs
/// for Couchbase Lite pass closures that are not. It runs on the queue that the caller passed, and its calls never
/// overlap, because the next call is enqueued after the previous one has returned.
final class ChangeListener: @unchecked Sendable {
  /// The collection to observe.
  let collection: CollectionRecord
  /// The id of the document to observe; nil to observe all documents.
  let documentID: String?
  /// The last sequence number of the collection when the listener was added. Only later changes are delivered.
  let start: Int64

  private let queue: DispatchQueue
  private let lock = NSLock()
  /// The closure to call; nil after the listener was removed.
  private var call: (([String]) -> Void)?
  private var onEnd: (() -> Void)?
  private var onFound: (() -> Void)?
  private var pending: [String] = []
  /// The number of pending ids above which duplicates are removed. At most 65,536 ids wait, or twice the number of
  /// changed documents if that is more. A document listener then misses calls, but not the last one.
  private var pendingLimit = ChangeListener.smallestLimit
  private var isScheduled = false
  /// Makes the store announce changes to the document before they are committed.
  private let observation: CommitObservation?
  private static let smallestLimit = 1 << 16

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - start: the last sequence number of the collection. Only later changes are delivered.
  ///   - queue: the queue to run `call` on.
  ///   - call: receives the ids of changed documents.
  ///   - onFound: called if the listener was added in the batch that creates the collection, after the commit.
  ///   - onEnd: called if the listener ends because the database is closed, the collection was deleted, or the batch
  ///     that created it was rolled back.
  ///   - observation: cancelled when the listener is removed.
  init(
    to collection: CollectionRecord, documentID: String?, after start: Int64, on queue: DispatchQueue,
    call: @escaping ([String]) -> Void, onFound: (() -> Void)?, onEnd: (() -> Void)?,
    observation: CommitObservation?
  ) {
    self.collection = collection
    self.documentID = documentID
    self.start = start
    self.queue = queue
    self.call = call
    self.onFound = onFound
    self.onEnd = onEnd
    self.observation = observation
  }

  /// Schedules a call with the ids of changed documents; for a document listener, one call for each element.
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

  /// Reports that the collection was committed, on the calling thread.
  func collectionWasFound() {
    let closure = lock.withLock {
      defer { self.onFound = nil }
      return self.onFound
    }
    closure?()
  }

  /// Removes the listener. No new call starts afterwards.
  func remove() { removeClosures() }

  /// Removes the listener because no more changes can occur, and calls `onEnd`.
  func end() { removeClosures()?() }

  /// Removes the closures and returns `onEnd`.
  @discardableResult
  private func removeClosures() -> (() -> Void)? {
    // The closures are released outside the lock, because a deinitializer may call this listener.
    let (removedCall, removedFound, removedEnd) = lock.withLock {
      defer { (call, onFound, onEnd, pending) = (nil, nil, nil, []) }
      return (call, onFound, onEnd)
    }
    withExtendedLifetime((removedCall, removedFound)) {}
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
      // All pending ids of a document listener are equal.
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

  /// Returns each id once, ordered by its last occurrence.
  private static func uniqued(_ ids: [String]) -> [String] {
    guard ids.count > 1 else { return ids }
    var seen: Set<ExactString> = []
    seen.reserveCapacity(ids.count)
    return ids.reversed().filter { seen.insert(ExactString($0)).inserted }.reversed()
  }
}
