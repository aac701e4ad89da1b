import Foundation
import DocumentStore
import GRDB
import Synchronization

/// Tells the listeners of a database what has changed, whoever has changed it.
///
/// Changes are read from the file by their sequence numbers, so that there is one way for those of this process and of others, a
/// transaction that is rolled back leaves nothing to undo, and saving costs the same as without listeners. When to read is
/// told by ``DocumentStore/Store/observeChanges(_:)`` for this process and by SQLite's `data_version` for others.
///
/// The file has only the last change of a document. Listeners of a document hear of each: writers of this process announce the
/// changes of such documents before they commit, and what is read from the file says which of them have arrived.
///
/// Two locks, taken in this order and never held while a listener runs: `feed` while the file is read, so that adding a
/// listener and reading for the others do not mix; `listeners` for moments.
final class ChangeNotifier: Sendable {
  /// What is there only as long as somebody listens.
  private struct Feed {
    var reader: ChangeReader
    var dataVersion: Int64
    var observation: CommitObservation
    var timer: any DispatchSourceTimer
  }

  private struct Listeners {
    var table = ListenerTable()
    var isStopped = false
  }

  /// How often the file is asked whether another process has changed it.
  private static let pollInterval = DispatchTimeInterval.milliseconds(100)

  /// The shortest time between two readings: somebody who saves thousands of documents a second, one by one, should not share
  /// the processor with as many readings.
  private static let shortestWait: UInt64 = 2_000_000

  /// Where listeners run that name no queue.
  let listenerQueue = DispatchQueue(label: "concordance.listeners")
  /// Where the file is read, and streams are filled.
  let queue = DispatchQueue(label: "concordance.changes")

  private let store: Store
  private let log: DatabaseLog
  private let othersDidCommit: @Sendable () -> Void
  private let feed = Locked<Feed?>(nil)
  private let listeners = Locked(Listeners())
  /// Whether a reading is waiting for its turn: a hundred commits until then need no second one.
  private let isWoken = Atomic(false)
  /// When the file was read last, in nanoseconds of the system's uptime.
  private let lastReading = Atomic<UInt64>(0)

  /// - Parameter othersDidCommit: called when another process may have changed the file; only while somebody listens.
  init(_ store: Store, _ log: DatabaseLog, othersDidCommit: @escaping @Sendable () -> Void) {
    self.store = store
    self.log = log
    self.othersDidCommit = othersDidCommit
  }

  /// Adds a listener, which receives the changes that are committed from now on.
  ///
  /// - Returns: nil if there will be no changes: the database is closed, or the collection does not exist.
  func add(
    to collection: CollectionRecord, documentID: String?, on queue: DispatchQueue,
    call: @escaping ([String]) -> Void, onEnd: (() -> Void)? = nil
  ) -> ChangeListener? {
    let isInOpenBatch = isMadeByOpenBatch(collection)
    return feed.withLock { feed in
      // A file that cannot be read now may be closed or damaged; those who use it otherwise get the error.
      guard !listeners.withLock({ $0.isStopped }), let reader = try? openFeed(&feed) else { return nil }
      let observation = documentID.map { store.observe(DocumentKey(collection: collection.id, id: $0)) }
      // What the open batch of this thread has changed may be rolled back, so its numbers count for nothing yet.
      let position = try? reader.read { db in
        try CollectionCatalog.require(collection, db)
        return try CollectionCatalog.lastSequence(collection, db)
      }
      guard position != nil || isInOpenBatch else {
        closeFeedIfUnused(&feed)
        return nil
      }
      let listener = ChangeListener(
        to: collection, documentID: documentID, after: position ?? 0, on: queue, call: call, onEnd: onEnd,
        observation: observation)
      let isAdded = listeners.withLock { listeners in
        if !listeners.isStopped { listeners.table.add(listener, isCommitted: position != nil) }
        return !listeners.isStopped
      }
      return isAdded ? listener : nil
    }
  }

  /// Removes a listener. After this no call of it starts.
  func remove(_ listener: ChangeListener) {
    listener.remove()
    let isLast = listeners.withLock { listeners in
      let wasEmpty = listeners.table.isEmpty
      listeners.table.remove(listener)
      return !wasEmpty && listeners.table.isEmpty
    }
    // Not here: a reading that takes long should not hold up the caller.
    if isLast { queue.async { [weak self] in self?.feed.withLock { self?.closeFeedIfUnused(&$0) } } }
  }

  /// Ends all listening for good. It waits for a reading of the file, not for listeners.
  func stop() {
    let ended = listeners.withLock { listeners in
      listeners.isStopped = true
      return listeners.table.removeAll()
    }
    feed.withLock { closeFeedIfUnused(&$0) }
    for listener in ended { listener.end() }
  }

  private func handle(_ event: CommitEvent) {
    switch event {
    case .willCommit(let revisions): listeners.withLock { $0.table.announce(revisions) }
    case .didFail(let revisions): listeners.withLock { $0.table.withdraw(revisions) }
    case .didCommit: wake()
    }
  }

  /// Reads the changes soon.
  private func wake() {
    guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let earliest = lastReading.load(ordering: .relaxed) + ChangeNotifier.shortestWait
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: earliest)) { [weak self] in self?.notifyListeners() }
  }
}

extension ChangeNotifier {
  private func notifyListeners() {
    // Before reading: what is committed later wakes again.
    isWoken.store(false, ordering: .sequentiallyConsistent)
    lastReading.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
    var deliveries: [(listener: ChangeListener, ids: [String])] = []
    var ended: [ChangeListener] = []
    feed.withLock { feed in
      guard let reader = feed?.reader else { return }
      let version: Int64
      let changes: [(CollectionRecord, [ChangedDocument]?)]
      do {
        version = try reader.dataVersion()
        changes = try readChanges(reader)
      } catch {
        // They are read at the next poll, since the version is noted only afterwards.
        log.warning("changes cannot be read for listeners; trying again", error)
        return
      }
      feed?.dataVersion = version
      listeners.withLock { listeners in
        for (collection, changed) in changes {
          if let changed {
            deliveries += listeners.table.advance(collection, by: changed)
          } else {
            ended += listeners.table.removeListeners(of: collection)
          }
        }
      }
    }
    for (listener, ids) in deliveries { listener.deliver(ids) }
    for listener in ended { listener.end() }
  }

  /// What has changed in each collection that is listened to; nil for one that is not there.
  private func readChanges(_ reader: ChangeReader) throws -> [(CollectionRecord, [ChangedDocument]?)] {
    let positions = listeners.withLock { $0.table.positions }
    return try reader.read { db in
      try positions.map { collection, position in
        do {
          try CollectionCatalog.require(collection, db)
        } catch let error as StoreError where error.kind == .noSuchCollection {
          return (collection, nil)
        }
        guard try CollectionCatalog.lastSequence(collection, db) != position else { return (collection, []) }
        return (collection, try DocumentReader(collection, db).changes(since: position))
      }
    }
  }

  private func poll() {
    let hasChanged = feed.withLock { feed in
      guard let feed, let version = try? feed.reader.dataVersion() else { return false }
      return version != feed.dataVersion
    }
    guard hasChanged else { return }
    notifyListeners()
    othersDidCommit()
  }

  private func openFeed(_ feed: inout Feed?) throws -> ChangeReader {
    if let feed { return feed.reader }
    let reader = try store.makeChangeReader()
    // In this order, so that a commit in between is reported twice rather than never.
    let observation = store.observeChanges { [weak self] in self?.handle($0) }
    let version = try reader.dataVersion()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + ChangeNotifier.pollInterval, repeating: ChangeNotifier.pollInterval, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in self?.poll() }
    timer.activate()
    feed = Feed(reader: reader, dataVersion: version, observation: observation, timer: timer)
    return reader
  }

  private func closeFeedIfUnused(_ feed: inout Feed?) {
    guard let open = feed, listeners.withLock({ $0.table.isEmpty }) else { return }
    open.timer.cancel()
    open.observation.cancel()
    open.reader.close()
    feed = nil
  }

  private func isMadeByOpenBatch(_ collection: CollectionRecord) -> Bool {
    // Where it is not, or cannot be told, the listener hears nothing.
    (try? store.writeInsideOpenTransaction { try CollectionCatalog.require(collection, $0.db) }) ?? nil != nil
  }
}
