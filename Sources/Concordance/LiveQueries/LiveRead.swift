import DocumentStore
import Foundation
import JSONText

/// A read of a live query or live search, which runs again after changes to its collections.
///
/// After a change it runs immediately if its last run began at least the current interval ago, otherwise as soon as
/// that time has passed. Changes during a run cause another run, so that the last state is always read. Runs never
/// overlap.
final class LiveRead: Sendable {
  /// The changes since the last run.
  struct Changes {
    /// The ids of the changed documents of each collection; nil if there were too many, and for the first run.
    var ids: [Set<ExactString>]?
    /// Whether the result must be delivered even if it is the same, because parameters have changed.
    var isForced: Bool
    /// Whether a collection was deleted, so that this is the last run.
    var isLast = false
  }

  private struct State {
    var body: (@Sendable (Changes) -> Void)?
    var onEnd: (@Sendable () -> Void)?
    var isRunning = false
    var isScheduled = false
    /// The number of the latest scheduled run. Runs that were scheduled before it do not begin.
    var scheduleNumber = 0
    var isDirty = false
    var isForced = false
    var hasRun = false
    /// Whether the next run is the last one, because a collection was deleted.
    var isLast = false
    var lastStart: ContinuousClock.Instant?
    var interval: Duration
    var interruption: Interruption?
  }

  /// The name of the view that is read; nil for other reads.
  let view: ExactString?
  private let feeds: [CollectionFeed]
  private let minimumInterval: Duration
  private let threads: WorkerThreads
  private let timerQueue: DispatchQueue
  private let positions: Locked<[Int]>
  private let state: Locked<State>

  /// - Parameters:
  ///   - feeds: the change feeds of the collections.
  ///   - view: the name of the view that is read; nil for other reads.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - threads: the threads for runs.
  ///   - timerQueue: the queue for delays.
  ///   - body: reads and delivers the result.
  ///   - onEnd: called once when the read ends.
  init(
    _ feeds: [CollectionFeed], view: ExactString? = nil, minimumInterval: Duration, on threads: WorkerThreads,
    timerQueue: DispatchQueue, body: @escaping @Sendable (Changes) -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    self.feeds = feeds
    self.view = view
    self.minimumInterval = minimumInterval
    self.threads = threads
    self.timerQueue = timerQueue
    positions = Locked(feeds.map(\.position))
    state = Locked(State(body: body, onEnd: onEnd, interval: minimumInterval))
  }

  /// Whether the read has ended, so that no more runs will begin.
  var isEnded: Bool { state.withLock { $0.body == nil } }

  /// Whether the run in progress has this interruption.
  func isRunning(_ run: Interruption?) -> Bool { run != nil && state.withLock { $0.interruption } === run }

  /// Runs for the first time.
  func start() { noteChange() }

  /// Schedules a run because a collection has changed.
  func noteChange() { schedule { $0.isDirty = true } }

  /// Schedules a run whose result is delivered even if it is the same, because the parameters have changed, or because
  /// the database could not be read.
  func deliverAgain() {
    schedule { state in
      state.isDirty = true
      state.isForced = true
      // A run that waits for the interval is replaced by one that begins immediately.
      state.isScheduled = false
      state.lastStart = nil
    }
  }

  /// Schedules the last run, which fails and delivers the error, because a collection was deleted.
  func collectionWasDeleted() {
    schedule { state in
      state.isDirty = true
      state.isForced = true
      state.isLast = true
    }
  }

  /// Ends the read. No new run begins, and a run in progress is interrupted.
  func end() {
    let (body, onEnd, interruption) = state.withLock { state in
      defer { (state.body, state.onEnd) = (nil, nil) }
      return (state.body, state.onEnd, state.interruption)
    }
    interruption?.interrupt()
    for feed in feeds { feed.remove(self) }
    onEnd?()
    withExtendedLifetime(body) {}
  }

  private func schedule(_ change: (inout State) -> Void) {
    state.withLock { state in
      guard state.body != nil else { return }
      change(&state)
      scheduleIfNeeded(&state)
    }
  }

  private func scheduleIfNeeded(_ state: inout State) {
    guard state.isDirty, !state.isRunning, !state.isScheduled else { return }
    state.isScheduled = true
    state.scheduleNumber += 1
    let number = state.scheduleNumber
    let delay = state.lastStart.map { state.interval - $0.duration(to: .now) } ?? .zero
    guard delay > .zero else {
      threads.submit { self.run(number) }
      return
    }
    timerQueue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
      guard let self else { return }
      threads.submit { self.run(number) }
    }
  }

  /// Begins a scheduled run, unless another one has replaced it.
  ///
  /// - Parameter number: the number of the scheduled run.
  private func run(_ number: Int) {
    let interruption = Interruption()
    let start = ContinuousClock.now
    typealias Next = (body: @Sendable (Changes) -> Void, isFirst: Bool, isForced: Bool, isLast: Bool)
    let next: Next? = state.withLock { state in
      guard state.isScheduled, state.scheduleNumber == number else { return nil }
      state.isScheduled = false
      guard let body = state.body else { return nil }
      defer { (state.isDirty, state.isForced, state.hasRun) = (false, false, true) }
      state.isRunning = true
      state.lastStart = start
      state.interruption = interruption
      return (body, !state.hasRun, state.isForced, state.isLast)
    }
    guard let next else { return }
    // Fetched before the run, so that its snapshot contains at least these changes.
    let sets = positions.withLock { positions in
      feeds.indices.map { feeds[$0].changes(since: &positions[$0], for: self) }
    }
    let ids = sets.compactMap { $0 }
    let changes = Changes(
      ids: next.isFirst || ids.count < sets.count ? nil : ids, isForced: next.isForced, isLast: next.isLast)
    try? interruption.begin()
    Interruption.$current.withValue(interruption) { next.body(changes) }
    let duration = start.duration(to: .now)
    state.withLock { state in
      state.isRunning = false
      state.interruption = nil
      // A query uses at most half of a processor, however long a run takes.
      state.interval = max(minimumInterval, duration * 2)
      // If the collection was deleted during this run, another run delivers the error.
      if !next.isLast { scheduleIfNeeded(&state) }
    }
    if next.isLast { end() }
  }
}
