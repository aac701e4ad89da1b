import DocumentStore
import Foundation

/// A query or view query that keeps its rows up to date. The names are those of Couchbase Lite 1.
///
/// ```swift
/// let hotels = try database.createQuery("SELECT name FROM hotels ORDER BY name").asLiveQuery()
/// hotels.onChange = { print(hotels.rows?.count ?? 0, "hotels") }
/// hotels.start()
/// ```
///
/// New programs should use ``Query/addChangeListener(withQueue:minimumInterval:_:)``,
/// ``Query/changes(minimumInterval:)``, or ``Query/differences(identifiedBy:minimumInterval:maximumRowCount:)``, whose
/// differences can be applied to a table view.
///
/// `@unchecked Sendable`: `token` is accessed only under `tokenLock`, every other variable only under the lock of
/// `condition`.
public final class LiveQuery<Rows: Sendable>: @unchecked Sendable {
  /// Registers a listener for the results of the query. The second function is called when no more results can follow.
  typealias Listen =
    @Sendable (
      _ receive: @escaping @Sendable (Swift.Result<Rows, any Error>) -> Void, _ onEnd: @escaping @Sendable () -> Void
    ) -> ListenerToken

  private let listen: Listen
  private let tokenLock = NSLock()
  private let condition = NSCondition()
  private var token: ListenerToken?
  private var state: (rows: Rows?, error: (any Error)?) = (nil, nil)
  /// The number of starts so far, and the number of the last start that has ended.
  private var runs = (started: 0, ended: 0)
  private var handler: (@Sendable () -> Void)?

  init(_ listen: @escaping Listen) { self.listen = listen }

  deinit { token?.remove() }

  /// The rows of the last run; nil before the first run and after an error. Reading them starts the query.
  public var rows: Rows? {
    start()
    return condition.withLock { state.rows }
  }

  /// The error of the last run; nil if it succeeded.
  public var lastError: (any Error)? { condition.withLock { state.error } }

  /// Called on a queue of the database after ``rows`` or ``lastError`` has changed.
  public var onChange: (@Sendable () -> Void)? {
    get { condition.withLock { handler } }
    set { condition.withLock { handler = newValue } }
  }

  /// Starts the query. Has no effect if the query is already running.
  public func start() {
    tokenLock.withLock {
      guard token == nil else { return }
      let number = condition.withLock {
        runs.started += 1
        return runs.started
      }
      // Weak, so that releasing the live query stops it.
      token = listen(
        { [weak self] result in self?.receive(result) }, { [weak self] in self?.didEnd(number) })
    }
  }

  /// Stops the query. The rows are kept.
  public func stop() {
    let removed = tokenLock.withLock {
      defer { token = nil }
      return token
    }
    removed?.remove()
  }

  /// Starts the query and waits for the result of its first run.
  ///
  /// Do not call it on the database's queue for listeners: no result can arrive while it waits.
  ///
  /// - Throws: the error of the run; ``CBLError/notOpen`` if the database is closed or ``stop()`` is called before the
  ///   first result.
  public func waitForRows() throws {
    start()
    try condition.withLock {
      while state.rows == nil, state.error == nil, runs.ended < runs.started { condition.wait() }
      if let error = state.error { throw error }
      if state.rows == nil {
        throw CBLError(
          CBLError.notOpen, "the live query ended before its first result: it was stopped, or its database was closed")
      }
    }
  }

  private func didEnd(_ number: Int) {
    condition.withLock {
      runs.ended = max(runs.ended, number)
      condition.broadcast()
    }
  }

  private func receive(_ result: Swift.Result<Rows, any Error>) {
    let handler = condition.withLock {
      state =
        switch result {
        case .success(let rows): (rows, nil)
        case .failure(let error): (nil, error)
        }
      condition.broadcast()
      return self.handler
    }
    handler?()
  }
}

extension Query {
  /// Returns a live query over this query.
  public func asLiveQuery() -> LiveQuery<QueryResults> {
    LiveQuery { receive, onEnd in
      self.addListener(queue: nil, Query.defaultMinimumInterval, onEnd: onEnd) { change in
        if let error = change.error {
          receive(.failure(error))
        } else if let rows = change.results {
          receive(.success(QueryResults(rows)))
        }
      }
    }
  }

  /// Runs the query and returns its rows if they differ from earlier ones.
  ///
  /// ```swift
  /// var shown = try query.rowsIfChanged(since: nil)
  /// if let rows = try query.rowsIfChanged(since: shown) { shown = rows }
  /// ```
  ///
  /// - Parameter previous: the earlier rows; nil if there are none.
  /// - Returns: the rows; nil if they are the same.
  /// - Throws: the same errors as ``execute()``.
  public func rowsIfChanged(since previous: QueryResults?) throws -> QueryResults? {
    let rows = QueryResults(try execute())
    return previous?.hasSameRows(as: rows) == true ? nil : rows
  }
}

extension ViewQuery {
  /// Returns a live query with the current options of the query.
  ///
  /// ```swift
  /// let tasks = byDate.createQuery().asLiveQuery()
  /// tasks.onChange = { print(tasks.rows?.map(\.keyJSON) ?? []) }
  /// tasks.start()
  /// ```
  public func asLiveQuery() -> LiveQuery<ViewRows> {
    let live = LiveViewQuery(self)
    return LiveQuery { receive, onEnd in
      live.addListener(queue: nil, Query.defaultMinimumInterval, onEnd: onEnd) { receive($0) }
    }
  }
}
