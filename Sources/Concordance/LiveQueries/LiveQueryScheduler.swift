import DocumentStore
import Foundation
import JSONText

/// Starts and ends the live queries and live searches of a database.
final class LiveQueryScheduler: Sendable {
  private struct Feed {
    let feed: CollectionFeed
    /// The listener that the feed receives changes from; nil until it is added.
    var listener: ChangeListener?
  }

  private struct State {
    var feeds: [CollectionRecord: Feed] = [:]
    var reads: [Int: LiveRead] = [:]
    var lastNumber = 0
    var isStopped = false
  }

  /// A failed attempt to receive the changes to a collection.
  private struct FailedAttempt: Sendable {
    /// The batch that was open in the first attempt and contains the collection; nil if there was none.
    let batch: TransactionOutcome?
    /// The time until the next attempt, in seconds. It doubles after each attempt.
    let delay: Double
  }

  /// The minimum and maximum time between two attempts to receive the changes to a collection, in seconds.
  private static let retryDelays = 1.0...30.0

  private let changes: ChangeNotifier
  private let state = Locked(State())
  /// Limited to half of the processors, so that live queries leave processors for other work.
  private let threads = WorkerThreads(maximumCount: max(2, ProcessorCount.active / 2))
  /// For reads that may write, one at a time: they wait for other writers, and must not delay the other reads.
  private let writingThread = WorkerThreads(maximumCount: 1)
  /// For attempts to receive the changes to a collection, one at a time: they may wait for a server that does not
  /// answer.
  private let retryThread = WorkerThreads(maximumCount: 1)
  /// For delays and for work that the callers do not wait for.
  private let timerQueue = DispatchQueue(label: "concordance.live-queries")

  init(_ changes: ChangeNotifier) {
    self.changes = changes
    changes.onAvailabilityChange { [weak self] in self?.deliverAgain() }
  }

  /// Runs all reads, and delivers their errors or results, even if these are the same as before.
  private func deliverAgain() {
    for read in state.withLock({ Array($0.reads.values) }) { read.deliverAgain() }
  }

  /// Runs work that reads the file, such as the start of a live query, on one of the threads.
  func submit(_ work: @escaping @Sendable () -> Void) { threads.submit(work) }

  /// Starts a read. It runs immediately, and after changes to the collections.
  ///
  /// - Parameters:
  ///   - collections: the collections that it reads.
  ///   - view: the name of the view that it reads; nil if it reads none.
  ///   - mayWrite: whether `body` may wait for another writer.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - body: reads and delivers the result. It runs on a thread for blocking calls. Runs never overlap.
  ///   - onEnd: called once, when the read ends for any reason.
  /// - Returns: the read; nil if the database is closed.
  func start(
    reading collections: [CollectionRecord], view: ExactString? = nil, mayWrite: Bool = false,
    minimumInterval: Duration, body: @escaping @Sendable (LiveRead.Changes) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> LiveRead? {
    typealias Started = (read: LiveRead, newFeeds: [CollectionFeed])
    let started: Started? = state.withLock { state in
      guard !state.isStopped else { return nil }
      var newFeeds: [CollectionFeed] = []
      let feeds = Set(collections).map { collection in
        if let known = state.feeds[collection] { return known.feed }
        let feed = CollectionFeed(collection)
        state.feeds[collection] = Feed(feed: feed)
        newFeeds.append(feed)
        return feed
      }
      state.lastNumber += 1
      let number = state.lastNumber
      let read = LiveRead(
        feeds, view: view, minimumInterval: max(.zero, minimumInterval), on: mayWrite ? writingThread : threads,
        timerQueue: timerQueue, body: body
      ) { [weak self] in
        self?.didEnd(number)
        onEnd()
      }
      for feed in feeds { feed.add(read) }
      state.reads[number] = read
      return (read, newFeeds)
    }
    guard let started else { return nil }
    // Outside the lock, because the file is read.
    for feed in started.newFeeds { connect(feed) }
    started.read.start()
    return started.read
  }

  /// Runs the reads of a view again because it has changed, other than by changes to documents.
  ///
  /// - Parameters:
  ///   - view: the name of the view.
  ///   - collection: its collection.
  ///   - run: the interruption of the run that has made the change, and that reads it itself; nil if no run has.
  func runAgain(_ view: ExactString, of collection: CollectionRecord, except run: Interruption? = nil) {
    let feed = state.withLock { $0.feeds[collection]?.feed }
    for read in feed?.reads ?? [] where read.view == view && !read.isRunning(run) { read.noteChange() }
  }

  /// Ends all reads permanently.
  func stop() {
    let (reads, feeds) = state.withLock { state in
      state.isStopped = true
      defer { (state.reads, state.feeds) = ([:], [:]) }
      return (state.reads.values, state.feeds.values)
    }
    for case let listener? in feeds.map(\.listener) { changes.remove(listener) }
    for read in reads { read.end() }
  }

  /// Releases a read that has ended. This is asynchronous, because a task that is cancelled must not wait.
  private func didEnd(_ number: Int) { timerQueue.async { [weak self] in self?.release(number) } }

  private func release(_ number: Int) {
    let (read, unused) = state.withLock { state in
      let read = state.reads.removeValue(forKey: number)
      let unused = state.feeds.values.filter { $0.feed.reads.isEmpty }
      for entry in unused { state.feeds[entry.feed.collection] = nil }
      return (read, unused)
    }
    for case let listener? in unused.map(\.listener) { changes.remove(listener) }
    withExtendedLifetime(read) {}
  }

  /// Adds the change listener of a feed. If that fails, tries again after a delay while the feed is used, unless the
  /// file is damaged.
  ///
  /// - Parameter failed: the previous attempt; nil for the first one.
  private func connect(_ feed: CollectionFeed, after failed: FailedAttempt? = nil) {
    let collection = feed.collection
    let batch = failed == nil ? changes.openBatch(containing: collection) : failed?.batch
    // Tested before the attempt, because the batch may end meanwhile.
    let isWaitingForBatch = failed != nil && batch.map { !$0.isCommitted && !$0.isRolledBack } == true
    let addition = changes.add(
      to: collection, documentID: nil, on: changes.queue, call: { feed.didChange($0) }, onFound: { feed.didChange([]) },
      onEnd: { [weak self] in self?.collectionWasDeleted(collection) })
    switch addition {
    case .added(let listener):
      let isUsed = state.withLock { state in
        guard state.feeds[collection]?.feed === feed else { return false }
        state.feeds[collection]?.listener = listener
        return true
      }
      guard isUsed else { return changes.remove(listener) }
      feed.mayHaveMissedChanges()
    case .ended where isWaitingForBatch:
      // The collection does not exist outside of the batch yet.
      retry(feed, FailedAttempt(batch: batch, delay: LiveQueryScheduler.retryDelays.lowerBound))
    case .ended: end(feed, isRetry: failed != nil)
    case .failed(let error) where (error as? StoreError)?.kind == .corrupt:
      changes.log.warning("a live query receives no changes", error)
      end(feed, isRetry: failed != nil)
    case .failed(let error):
      if failed == nil { changes.log.warning("a live query receives no changes; trying again", error) }
      let delays = LiveQueryScheduler.retryDelays
      let delay = failed.map { min(2 * $0.delay, delays.upperBound) } ?? delays.lowerBound
      retry(feed, FailedAttempt(batch: batch, delay: delay))
    }
  }

  /// Removes a feed that can no longer receive changes.
  private func end(_ feed: CollectionFeed, isRetry: Bool) {
    state.withLock { state in
      if state.feeds[feed.collection]?.feed === feed { state.feeds[feed.collection] = nil }
    }
    // The reads run once more and deliver the error.
    if isRetry { feed.mayHaveMissedChanges() }
  }

  /// Schedules another attempt, unless the feed is no longer used.
  private func retry(_ feed: CollectionFeed, _ failed: FailedAttempt) {
    timerQueue.asyncAfter(deadline: .now() + failed.delay) { [weak self] in
      guard let self, self.isUsed(feed) else { return }
      self.retryThread.submit { [weak self] in
        guard let self, self.isUsed(feed) else { return }
        self.connect(feed, after: failed)
      }
    }
  }

  private func isUsed(_ feed: CollectionFeed) -> Bool {
    state.withLock { $0.feeds[feed.collection]?.feed === feed }
  }

  private func collectionWasDeleted(_ collection: CollectionRecord) {
    let entry = state.withLock { $0.feeds.removeValue(forKey: collection) }
    for read in entry?.feed.reads ?? [] { read.collectionWasDeleted() }
  }
}
