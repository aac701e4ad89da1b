import Foundation
import DocumentStore
import GRDB
import Synchronization

/// Calls the listeners of a database after changes by this process and by other processes.
///
/// Changes are read from the file by their sequence numbers. Therefore, changes by this process and by other processes
/// are handled in the same way, a rollback needs no cleanup, and listeners do not slow down saves.
/// `Store.observeChanges` reports when this process has committed; SQLite's `data_version` is polled to detect commits
/// by other processes.
///
/// The file contains only the last change to each document, but a document listener is called for each change.
/// Therefore, writers of this process announce changes to observed documents before they commit, and the changes that
/// are read from the file determine which announced changes are committed.
///
/// There are two locks, which are taken in this order and are never held while a listener runs: `feed` is held while
/// the file is read, so that a listener is never added during a read; `listeners` is held only briefly.
final class ChangeNotifier: Sendable {
  /// The resources that exist only while there are listeners.
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

  /// The interval at which the file is checked for commits by other processes.
  private static let pollInterval = DispatchTimeInterval.milliseconds(100)

  /// The minimum time between two reads of the file, in nanoseconds, so that a program that saves thousands of
  /// documents per second does not cause as many reads.
  private static let minimumReadInterval: UInt64 = 2_000_000

  /// The default queue for listeners.
  let listenerQueue = DispatchQueue(label: "concordance.listeners")
  /// The queue on which the file is read, and on which streams yield their elements.
  let queue = DispatchQueue(label: "concordance.changes")

  private let store: Store
  let log: DatabaseLog
  private let othersDidCommit: @Sendable () -> Void
  private let feed = Locked<Feed?>(nil)
  private let listeners = Locked(Listeners())
  /// Whether a read is scheduled. Commits before it starts do not schedule another one.
  private let isReadScheduled = Atomic(false)
  /// Whether the last attempt to read the changes has failed.
  private let isFailing = Atomic(false)
  private let availabilityDidChange = Locked<@Sendable () -> Void>({})
  /// The time of the last read, in nanoseconds of system uptime.
  private let lastReadTime = Atomic<UInt64>(0)

  /// - Parameter othersDidCommit: called if another process may have changed the file, but only while there are
  ///   listeners.
  init(_ store: Store, _ log: DatabaseLog, othersDidCommit: @escaping @Sendable () -> Void) {
    self.store = store
    self.log = log
    self.othersDidCommit = othersDidCommit
  }

  /// Sets the closure that is called when the changes can no longer be read, for example because a server is down, and
  /// when they can be read again.
  func onAvailabilityChange(_ body: @escaping @Sendable () -> Void) { availabilityDidChange.withLock { $0 = body } }

  /// Adds a listener. It receives the changes that are committed after this call.
  ///
  /// - Parameters:
  ///   - collection: the collection.
  ///   - documentID: the id of a document; nil for all documents.
  ///   - queue: the queue for `call`.
  ///   - call: receives the ids of changed documents.
  ///   - onFound: called once if the open batch of this thread has created the collection and is committed.
  ///   - onEnd: called when no more changes can occur.
  func add(
    to collection: CollectionRecord, documentID: String?, on queue: DispatchQueue,
    call: @escaping ([String]) -> Void, onFound: (() -> Void)? = nil, onEnd: (() -> Void)? = nil
  ) -> ListenerAddition {
    let existsInBatch = openBatch(containing: collection) != nil
    let addition = feed.withLock { feed -> ListenerAddition in
      guard !listeners.withLock({ $0.isStopped }) else { return .ended }
      let reader: ChangeReader
      do { reader = try openFeed(&feed) } catch { return ListenerAddition(error) }
      let observation = documentID.map { store.observe(DocumentKey(collection: collection.id, id: $0)) }
      // The reader sees only committed changes: changes in an open batch of this thread are not included, because they
      // may be rolled back.
      let position: Int64?
      do {
        position = try reader.read { db in
          try CollectionCatalog.require(collection, db)
          return try CollectionCatalog.lastSequence(collection, db)
        }
      } catch let error as StoreError where error.kind == .noSuchCollection && existsInBatch {
        position = nil
      } catch {
        observation?.cancel()
        closeFeedIfUnused(&feed)
        return ListenerAddition(error)
      }
      let listener = ChangeListener(
        to: collection, documentID: documentID, after: position ?? 0, on: queue, call: call, onFound: onFound,
        onEnd: onEnd, observation: observation)
      let isAdded = listeners.withLock { listeners in
        if !listeners.isStopped { listeners.table.add(listener, isCommitted: position != nil) }
        return !listeners.isStopped
      }
      return isAdded ? .added(listener) : .ended
    }
    if existsInBatch, case .added = addition { observeOpenBatch(thatCreated: collection) }
    return addition
  }

  /// Removes a listener. No new call starts afterwards.
  func remove(_ listener: ChangeListener) {
    listener.remove()
    let isLast = listeners.withLock { listeners in
      let wasEmpty = listeners.table.isEmpty
      listeners.table.remove(listener)
      return !wasEmpty && listeners.table.isEmpty
    }
    // This is asynchronous, so that the caller does not wait for a long read that holds the lock.
    if isLast { queue.async { [weak self] in self?.feed.withLock { self?.closeFeedIfUnused(&$0) } } }
  }

  /// Removes all listeners; none can be added afterwards. Waits for a read of the file that is in progress, but not for
  /// running listeners.
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
    case .didCommit: scheduleRead()
    }
  }

  /// Schedules a read of the changes, unless one is already scheduled.
  private func scheduleRead() {
    guard !isReadScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let earliest = lastReadTime.load(ordering: .relaxed) + ChangeNotifier.minimumReadInterval
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: earliest)) { [weak self] in self?.notifyListeners() }
  }
}

extension ChangeNotifier {
  private func notifyListeners() {
    // The flag is reset before the read, so that a later commit schedules another read.
    isReadScheduled.store(false, ordering: .sequentiallyConsistent)
    lastReadTime.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
    var deliveries: [(listener: ChangeListener, ids: [String])] = []
    var found: [ChangeListener] = []
    var ended: [ChangeListener] = []
    var failure: (any Error)?
    feed.withLock { feed in
      guard let reader = feed?.reader else { return }
      let version: Int64
      let changes: [(CollectionRecord, [ChangedDocument]?)]
      do {
        version = try reader.dataVersion()
        changes = try readChanges(reader)
      } catch let error as StoreError where error.isLasting {
        // The live queries that end read once more and deliver the error.
        log.warning("changes can no longer be read for listeners", error)
        ended = listeners.withLock { $0.table.removeAll() }
        closeFeedIfUnused(&feed)
        return
      } catch {
        // The next poll tries again, because `dataVersion` is not updated.
        failure = error
        return
      }
      feed?.dataVersion = version
      listeners.withLock { listeners in
        for (collection, changed) in changes {
          if let changed {
            found += listeners.table.noteFound(collection)
            deliveries += listeners.table.advance(collection, by: changed)
          } else {
            ended += listeners.table.removeListeners(of: collection)
          }
        }
      }
    }
    noteAvailability(failure)
    for (listener, ids) in deliveries { listener.deliver(ids) }
    for listener in found { listener.collectionWasFound() }
    for listener in ended { listener.end() }
  }

  /// Returns the changes of each observed collection; nil for a collection that does not exist.
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

  /// Notes whether the changes could be read, and reports it if it is not as before.
  private func noteAvailability(_ failure: (any Error)?) {
    guard isFailing.exchange(failure != nil, ordering: .relaxed) != (failure != nil) else { return }
    if let failure { log.warning("changes cannot be read for listeners; trying again", failure) }
    availabilityDidChange.withLock { $0 }()
  }

  private func poll() {
    var failure: (any Error)?
    let hasChanged = feed.withLock { feed in
      guard let feed else { return false }
      do { return try feed.reader.dataVersion() != feed.dataVersion || isFailing.load(ordering: .relaxed) } catch {
        failure = error
        return (error as? StoreError)?.isLasting == true
      }
    }
    guard hasChanged else {
      if let failure { noteAvailability(failure) }
      return
    }
    notifyListeners()
    othersDidCommit()
  }

  private func openFeed(_ feed: inout Feed?) throws -> ChangeReader {
    if let feed { return feed.reader }
    let reader = try store.makeChangeReader()
    // The observation begins before the version is read, so that a commit between the two calls is reported twice
    // rather than missed.
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

  /// Returns the outcome of the open batch of this thread if the collection exists in it; nil if there is no batch or
  /// the collection cannot be read.
  func openBatch(containing collection: CollectionRecord) -> TransactionOutcome? {
    let outcome: TransactionOutcome?? = try? store.writeInsideOpenTransaction { transaction -> TransactionOutcome? in
      // After a rollback, the connection may still be open without a transaction.
      guard transaction.db.isInsideTransaction else { return nil }
      try CollectionCatalog.require(collection, transaction.db)
      return transaction.outcome
    }
    return outcome ?? nil
  }

  /// Ends the listeners of a collection if the open batch of this thread, which has created it, is rolled back.
  ///
  /// - Parameter wasRolledBack: whether a nested batch, which may have created the collection, was already rolled back.
  /// - Returns: whether a batch is open.
  @discardableResult
  private func observeOpenBatch(thatCreated collection: CollectionRecord, wasRolledBack: Bool = false) -> Bool {
    let isOpen = try? store.writeInsideOpenTransaction { transaction -> Bool in
      guard transaction.db.isInsideTransaction else { return false }
      transaction.onCompletion { [weak self] isCommitted in
        if !isCommitted || wasRolledBack { self?.batchDidEnd(collection, isCommitted: isCommitted) }
      }
      return true
    }
    return isOpen == true
  }

  /// Called on the writing thread, which must not use the database, calls no closures of listeners and does not wait
  /// for a read of the file.
  private func batchDidEnd(_ collection: CollectionRecord, isCommitted: Bool) {
    if isCommitted { return queue.async { [weak self] in self?.endListenersIfNotFound(of: collection) } }
    // If a nested batch was rolled back, an outer one may have created the collection. This is known when it ends.
    if observeOpenBatch(thatCreated: collection, wasRolledBack: true) { return }
    let ended = listeners.withLock { $0.table.removeListeners(ofRolledBack: collection) }
    queue.async { [weak self] in
      for listener in ended { listener.end() }
      guard let self else { return }
      feed.withLock { self.closeFeedIfUnused(&$0) }
    }
  }

  /// Ends the listeners of a collection that a batch was to create, if the committed batch did not create it.
  private func endListenersIfNotFound(of collection: CollectionRecord) {
    let ended = feed.withLock { feed -> [ChangeListener] in
      guard let reader = feed?.reader else { return [] }
      do {
        try reader.read { try CollectionCatalog.require(collection, $0) }
        return []
      } catch let error as StoreError where error.kind == .noSuchCollection {
        let ended = listeners.withLock { $0.table.removeListeners(ofRolledBack: collection) }
        closeFeedIfUnused(&feed)
        return ended
      } catch {
        // The listeners remain. The next read of the changes reports the error.
        return []
      }
    }
    for listener in ended { listener.end() }
  }
}
