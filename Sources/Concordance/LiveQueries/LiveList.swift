import DocumentStore

/// The current rows of a live query, live search or live view query, for a user interface that shows them.
///
/// ```swift
/// let hotels = query.liveList()
/// hotels.onChange = { [weak table, weak hotels] in
///   DispatchQueue.main.async { table?.show(hotels?.rows ?? []) }
/// }
/// for await rows in hotels.snapshots() { print(rows.count, "hotels") }
/// ```
///
/// The query runs until the list is released, the database is closed, or a run fails. A loop that applies each
/// difference to its own rows should use ``Query/differences(identifiedBy:minimumInterval:maximumRowCount:)``: a list
/// keeps only the last difference.
public final class LiveList<Row: Sendable>: Sendable {
  private struct State {
    var rows: [Row] = []
    var difference: ListDifference?
    var error: (any Error)?
    var hasEnded = false
    var handler: (@Sendable () -> Void)?
    var streams: [Int: AsyncStream<[Row]>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())
  private let task = Locked<Task<Void, Never>?>(nil)

  init<Element: Sendable>(
    _ sequence: LiveSequence<Element>,
    _ content: @escaping @Sendable (Element) -> (rows: [Row], difference: ListDifference)
  ) {
    // Weak, so that releasing the list stops the query.
    let started = Task { [weak self] in
      do {
        for try await element in sequence {
          let (rows, difference) = content(element)
          self?.update { ($0.rows, $0.difference) = (rows, difference) }
        }
        self?.end(nil)
      } catch {
        self?.end(error)
      }
    }
    task.withLock { $0 = started }
  }

  deinit {
    task.withLock { $0?.cancel() }
    // Outside the lock, because finishing calls the handler of the stream.
    for stream in state.withLock({ $0.streams.values }) { stream.finish() }
  }

  /// The rows of the last run; empty before the first run. They are kept after an error.
  public var rows: [Row] { state.withLock { $0.rows } }

  /// The difference between ``rows`` and the previous rows; nil before the first run, whose rows are all insertions.
  public var lastDifference: ListDifference? { state.withLock { $0.difference } }

  /// The error that ended the query; nil if there is none.
  public var error: (any Error)? { state.withLock { $0.error } }

  /// Whether the query has ended, because the database was closed or a run failed; see ``error``. The rows no longer
  /// change.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Called after ``rows`` has changed and when the query has ended. If the query has already run or ended when a
  /// handler is set, the handler is called soon afterwards, so that it never misses the first rows. It runs on a thread
  /// of Swift's concurrency runtime and must not block.
  public var onChange: (@Sendable () -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      let isLate = state.withLock { state in
        state.handler = newValue
        return state.difference != nil || state.hasEnded
      }
      // Not called here, because the program may hold a lock that the handler takes.
      if isLate, newValue != nil { Task { [weak self] in self?.onChange?() } }
    }
  }

  /// Returns an asynchronous sequence of the rows: the current rows, if the query has run, and the rows after each
  /// change. If the loop is slower than the changes, intermediate rows are skipped. It ends when the query ends or the
  /// list is released.
  public func snapshots() -> AsyncStream<[Row]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state -> Int? in
        if state.difference != nil { continuation.yield(state.rows) }
        if state.hasEnded { return nil }
        state.lastNumber += 1
        state.streams[state.lastNumber] = continuation
        return state.lastNumber
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
      }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let handler = state.withLock { state in
      change(&state)
      state.streams.values.forEach { $0.yield(state.rows) }
      return state.handler
    }
    handler?()
  }

  private func end(_ error: (any Error)?) {
    let (streams, handler) = state.withLock { state in
      (state.hasEnded, state.error) = (true, error)
      defer { state.streams = [:] }
      return (state.streams.values, state.handler)
    }
    streams.forEach { $0.finish() }
    handler?()
  }
}

extension Query {
  /// Returns a list with the rows of the query.
  ///
  /// - Parameter column: the column that identifies a row; see
  ///   ``differences(identifiedBy:minimumInterval:maximumRowCount:)``.
  public func liveList(identifiedBy column: String? = nil) -> LiveList<QueryResults.Element> {
    LiveList(differences(identifiedBy: column)) { (Array($0.results), $0.difference) }
  }
}

extension Collection {
  /// Returns a list with the hits of a search.
  ///
  /// - Parameter request: the search.
  public func liveList(of request: SearchRequest) -> LiveList<SearchHit> {
    LiveList(searchDifferences(request)) { ($0.results.hits, $0.difference) }
  }
}

extension ViewQuery {
  /// Returns a list with the rows of the view query.
  public func liveList() -> LiveList<ViewRows.Element> {
    LiveList(differences()) { (Array($0.rows), $0.difference) }
  }
}
