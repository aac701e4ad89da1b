import DocumentStore
import JSONText

/// The latest changes to a collection, and the live reads that wait for the next change.
///
/// All live reads of a collection share one change listener. A read that is already scheduled is not notified again.
final class CollectionFeed: Sendable {
  private struct State {
    /// The ids of the latest changes. The id of a document that changed several times occurs several times.
    var ids: [String] = []
    /// The number of earlier changes, whose ids were dropped.
    var droppedCount = 0
    /// The reads to notify of the next change.
    var waiting: [ObjectIdentifier: LiveRead] = [:]
    /// All reads of the collection.
    var reads: [ObjectIdentifier: LiveRead] = [:]
  }

  /// The collection.
  let collection: CollectionRecord
  private let state = Locked(State())
  /// The minimum number of latest ids to keep. If older ids are needed, a read runs without knowing what has changed.
  private static let capacity = 1024

  init(_ collection: CollectionRecord) { self.collection = collection }

  /// The number of changes so far.
  var position: Int { state.withLock { $0.droppedCount + $0.ids.count } }

  func add(_ read: LiveRead) { state.withLock { $0.reads[ObjectIdentifier(read)] = read } }

  func remove(_ read: LiveRead) {
    // The read is released outside the lock, because its closures may call this feed.
    let removed = state.withLock { state in
      state.waiting[ObjectIdentifier(read)] = nil
      return state.reads.removeValue(forKey: ObjectIdentifier(read))
    }
    withExtendedLifetime(removed) {}
  }

  /// All reads of the collection.
  var reads: [LiveRead] { state.withLock { Array($0.reads.values) } }

  /// Records changes and notifies the waiting reads.
  func didChange(_ ids: [String]) {
    let notified = state.withLock { state in
      state.ids += ids
      if state.ids.count > 2 * CollectionFeed.capacity {
        let excess = state.ids.count - CollectionFeed.capacity
        state.ids.removeFirst(excess)
        state.droppedCount += excess
      }
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for read in notified { read.noteChange() }
  }

  /// Notifies the waiting reads that documents may have changed before the change listener was added. No read that has
  /// begun before knows which ones.
  func mayHaveMissedChanges() {
    let notified = state.withLock { state in
      // Counted as a change whose id was dropped.
      state.droppedCount += state.ids.count + 1
      state.ids = []
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for read in notified { read.noteChange() }
  }

  /// Returns the ids of the documents that changed after a position, and registers the read for the next change.
  ///
  /// - Parameters:
  ///   - position: the number of changes that the read has seen; advanced to the current number.
  ///   - read: the read to notify of the next change.
  /// - Returns: the ids; nil if there were too many changes.
  func changes(since position: inout Int, for read: LiveRead) -> Set<ExactString>? {
    state.withLock { state in
      defer { position = state.droppedCount + state.ids.count }
      if state.reads[ObjectIdentifier(read)] != nil { state.waiting[ObjectIdentifier(read)] = read }
      guard position >= state.droppedCount else { return nil }
      return Set(state.ids[(position - state.droppedCount)...].map { ExactString($0) })
    }
  }
}
