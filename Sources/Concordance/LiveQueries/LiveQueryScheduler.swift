import DocumentStore
import Foundation

/// Starts and ends the live queries and live searches of a database.
final class LiveQueryScheduler: Sendable {
  private struct Feed {
    let feed: CollectionFeed
    let listener: ChangeListener
  }

  private struct State {
    var feeds: [CollectionRecord: Feed] = [:]
    var reads: [Int: LiveRead] = [:]
    var lastNumber = 0
    var isStopped = false
  }

  private let changes: ChangeNotifier
  private let state = Locked(State())
  /// Limited to half of the processors, so that live queries leave processors for other work.
  private let threads = WorkerThreads(maximumCount: max(2, ProcessorCount.active / 2))
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
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - body: reads and delivers the result. It runs on a thread for blocking calls. Runs never overlap.
  ///   - onEnd: called once, when the read ends for any reason.
  /// - Returns: the read; nil if the database is closed.
  func start(
    reading collections: [CollectionRecord], minimumInterval: Duration,
    body: @escaping @Sendable (LiveRead.Changes) -> Void, onEnd: @escaping @Sendable () -> Void
  ) -> LiveRead? {
    let read = state.withLock { state -> LiveRead? in
      guard !state.isStopped else { return nil }
      let feeds = Set(collections).compactMap { feed(of: $0, &state) }
      state.lastNumber += 1
      let number = state.lastNumber
      let read = LiveRead(
        feeds, minimumInterval: max(.zero, minimumInterval), on: threads, timerQueue: timerQueue, body: body
      ) { [weak self] in
        self?.didEnd(number)
        onEnd()
      }
      for feed in feeds { feed.add(read) }
      state.reads[number] = read
      return read
    }
    read?.start()
    return read
  }

  /// Runs the reads of a collection again because something other than its documents has changed.
  func runAgain(of collection: CollectionRecord) {
    let feed = state.withLock { $0.feeds[collection]?.feed }
    for read in feed?.reads ?? [] { read.noteChange() }
  }

  /// Ends all reads permanently.
  func stop() {
    let (reads, feeds) = state.withLock { state in
      state.isStopped = true
      defer { (state.reads, state.feeds) = ([:], [:]) }
      return (state.reads.values, state.feeds.values)
    }
    for entry in feeds { changes.remove(entry.listener) }
    for read in reads { read.end() }
  }

  private func didEnd(_ number: Int) {
    let (read, unused) = state.withLock { state in
      let read = state.reads.removeValue(forKey: number)
      let unused = state.feeds.values.filter { $0.feed.reads.isEmpty }
      for entry in unused { state.feeds[entry.feed.collection] = nil }
      return (read, unused)
    }
    for entry in unused { changes.remove(entry.listener) }
    withExtendedLifetime(read) {}
  }

  /// Returns the feed of a collection, and creates it for the first read.
  private func feed(of collection: CollectionRecord, _ state: inout State) -> CollectionFeed? {
    if let known = state.feeds[collection] { return known.feed }
    let feed = CollectionFeed(collection)
    let listener = changes.add(to: collection, documentID: nil, on: changes.queue) { ids in
      feed.didChange(ids)
    } onEnd: { [weak self] in
      self?.collectionWasDeleted(collection)
    }
    guard let listener else { return nil }
    state.feeds[collection] = Feed(feed: feed, listener: listener)
    return feed
  }

  private func collectionWasDeleted(_ collection: CollectionRecord) {
    let entry = state.withLock { $0.feeds.removeValue(forKey: collection) }
    for read in entry?.feed.reads ?? [] { read.collectionWasDeleted() }
  }
}
