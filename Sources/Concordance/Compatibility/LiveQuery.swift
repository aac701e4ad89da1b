import DocumentStore
import Foundation

/// A query that keeps its rows current, with the names of Couchbase Lite 1.
///
/// ```swift
/// let hotels = try database.createQuery("SELECT name FROM hotels ORDER BY name").asLiveQuery()
/// hotels.onChange = { print(hotels.rows?.count ?? 0, "hotels") }
/// hotels.start()
/// ```
///
/// New programs use ``Query/addChangeListener(withQueue:_:)``, ``Query/changes(minimumInterval:)`` or
/// ``Query/differences(identifiedBy:minimumInterval:)``. A table on a screen follows the query with the differences.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
public final class LiveQuery: @unchecked Sendable {
  /// The query.
  public let query: Query

  private let condition = NSCondition()
  private var token: ListenerToken?
  private var state: (rows: QueryResults?, error: (any Error)?) = (nil, nil)
  private var handler: (@Sendable () -> Void)?

  init(_ query: Query) { self.query = query }

  deinit { token?.remove() }

  /// The rows of the last run; nil before the first run and after an error. Reading them starts the query.
  public var rows: QueryResults? {
    start()
    return condition.withLock { state.rows }
  }

  /// The error of the last run; nil if it succeeded.
  public var lastError: (any Error)? { condition.withLock { state.error } }

  /// Called on a queue of the database after ``rows`` or ``lastError`` have changed.
  public var onChange: (@Sendable () -> Void)? {
    get { condition.withLock { handler } }
    set { condition.withLock { handler = newValue } }
  }

  /// Starts the query. It has no effect if the query has been started.
  public func start() {
    condition.withLock {
      guard token == nil else { return }
      // Weak, so that releasing the live query ends it.
      token = query.addChangeListener { [weak self] change in self?.receive(change) }
    }
  }

  /// Stops the query. The rows stay as they are.
  public func stop() {
    let removed = condition.withLock {
      defer { token = nil }
      return token
    }
    removed?.remove()
  }

  /// Starts the query and waits for the result of its first run.
  ///
  /// Do not call it on the queue of the database on which listeners are called: no result arrives while it waits.
  ///
  /// - Throws: the error of the run.
  public func waitForRows() throws {
    start()
    try condition.withLock {
      while state.rows == nil, state.error == nil { condition.wait() }
      if let error = state.error { throw error }
    }
  }

  private func receive(_ change: QueryChange) {
    let rows = change.results.map { QueryResults($0) }
    let handler = condition.withLock {
      state = (rows, change.error)
      condition.broadcast()
      return self.handler
    }
    handler?()
  }
}

extension Query {
  /// Returns a live query over this query.
  public func asLiveQuery() -> LiveQuery { LiveQuery(self) }

  /// Runs the query and returns its rows if they differ from earlier ones.
  ///
  /// ```swift
  /// var shown = try query.rowsIfChanged(since: nil)
  /// if let rows = try query.rowsIfChanged(since: shown) { shown = rows }
  /// ```
  ///
  /// - Parameter previous: the earlier rows; nil if there are none.
  /// - Returns: the rows; nil if they are the same.
  /// - Throws: ``CBLError`` as ``execute()``.
  public func rowsIfChanged(since previous: QueryResults?) throws -> QueryResults? {
    let rows = QueryResults(try execute())
    return previous?.hasSameRows(as: rows) == true ? nil : rows
  }
}
