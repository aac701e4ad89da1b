import DocumentStore
import Foundation

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

  /// The time until another attempt to read the changes to a collection, in seconds.
  private static let retryInterval = 1.0

  private let changes: ChangeNotifier
  private let state = Locked(State())
  /// Limited to half of the processors, so that live queries leave processors for other work.
  private let threads = WorkerThreads(maximumCount: max(2, ProcessorCount.active / 2))
  /// For reads that may write, one at a time: they wait for other writers, and must not delay the other reads.
  private let writingThread = WorkerThreads(maximumCount: 1)
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
  ///   - mayWrite: whether `body` may wait for another writer.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - body: reads and delivers the result. It runs on a thread for blocking calls. Runs never overlap.
  ///   - onEnd: called once, when the read ends for any reason.
  /// - Returns: the read; nil if the database is closed.
  func start(
    reading collections: [CollectionRecord], mayWrite: Bool = false, minimumInterval: Duration,
    body: @escaping @Sendable (LiveRead.Changes) -> Void, onEnd: @escaping @Sendable () -> Void
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
        feeds, minimumInterval: max(.zero, minimumInterval), on: mayWrite ? writingThread : threads,
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

  /// Runs the reads of a collection again because something other than its documents has changed.
  ///
  /// - Parameter run: the interruption of the run that has made the change, and that reads it itself; nil if no run has.
  func runAgain(of collection: CollectionRecord, except run: Interruption? = nil) {
    let feed = state.withLock { $0.feeds[collection]?.feed }
    for read in feed?.reads ?? [] where !read.isRunning(run) { read.noteChange() }
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

  /// Adds the change listener of a feed. If that fails, tries again every second while the feed is used.
  ///
  /// - Parameter isRetry: whether an attempt has failed before.
  private func connect(_ feed: CollectionFeed, isRetry: Bool = false) {
    let collection = feed.collection
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
    case .ended:
      state.withLock { state in
        if state.feeds[collection]?.feed === feed { state.feeds[collection] = nil }
      }
      // The reads run once more and deliver the error.
      if isRetry { feed.mayHaveMissedChanges() }
    case .failed(let error):
      if !isRetry { changes.log.warning("a live query receives no changes; trying again", error) }
      timerQueue.asyncAfter(deadline: .now() + LiveQueryScheduler.retryInterval) { [weak self] in self?.retry(feed) }
    }
  }

  private func retry(_ feed: CollectionFeed) {
    guard state.withLock({ $0.feeds[feed.collection]?.feed === feed }) else { return }
    // Opening the file may take long.
    threads.submit { [weak self] in self?.connect(feed, isRetry: true) }
  }

  private func collectionWasDeleted(_ collection: CollectionRecord) {
    let entry = state.withLock { $0.feeds.removeValue(forKey: collection) }
    for read in entry?.feed.reads ?? [] { read.collectionWasDeleted() }
  }
}
