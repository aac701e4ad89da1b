public import Foundation

/// Live queries: queries that run again when documents change.
extension Query {
  /// The default of the minimum time between the starts of two runs of a live query: 0.25 s.
  public static let defaultMinimumInterval = Duration.milliseconds(250)

  /// Registers a listener for the results of the query. It is called on a serial queue of the database.
  ///
  /// - Parameter listener: the closure to call; see ``addChangeListener(withQueue:minimumInterval:_:)``.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addChangeListener(_ listener: @escaping (QueryChange) -> Void) -> ListenerToken {
    addChangeListener(withQueue: nil, listener)
  }

  /// Registers a listener for the results of the query. It is called with the current result, and again whenever the
  /// result changes.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= 4 ORDER BY name")
  /// let token = query.addChangeListener(withQueue: .main) { change in
  ///   if let error = change.error { return print(error) }
  ///   for row in change.results?.allResults() ?? [] { print(row.string(forKey: "name") ?? "") }
  /// }
  /// token.remove()
  /// ```
  ///
  /// The query runs again after this or another process has changed a collection that it reads, unless the change
  /// cannot affect its rows. The listener is called only if the rows or their order differ from those of its last call.
  /// The first run after a change begins immediately. While changes continue, a run begins every 0.25 s, or at
  /// intervals of twice the duration of a run if that is longer. The state after the last change is always delivered;
  /// intermediate states may be skipped.
  ///
  /// Setting ``parameters`` runs the query again immediately, and the listener is called even if the rows are the same.
  /// An error is delivered in ``QueryChange/error``, and the query runs again after the next change. If a collection of
  /// the query is deleted, the error is delivered, and the listener is removed.
  ///
  /// Expired documents disappear from the results when they are purged. The results of models
  /// (``Function/prediction(model:input:)``) are read again only if documents change.
  ///
  /// The listener keeps the query and its database open until ``ListenerToken/remove()`` is called or the database is
  /// closed. Calls to a listener never overlap.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the listener is called. If nil, it is a serial queue of the database that all
  ///     listeners share. (In Couchbase Lite it is the main queue, which many servers and command-line tools do not
  ///     run.)
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  ///   - listener: the closure to call.
  /// - Returns: a token that removes the listener. If the database is closed, the listener is never called.
  @discardableResult
  public func addChangeListener(
    withQueue queue: DispatchQueue?, minimumInterval: Duration = Query.defaultMinimumInterval,
    _ listener: @escaping (QueryChange) -> Void
  ) -> ListenerToken {
    addListener(queue: queue, minimumInterval, onEnd: {}, listener)
  }

  /// Registers a listener.
  ///
  /// - Parameter onEnd: see ``LiveResult/listen(to:with:minimumInterval:onEnd:element:)``.
  func addListener(
    queue: DispatchQueue?, _ minimumInterval: Duration, onEnd: @escaping @Sendable () -> Void,
    _ listener: @escaping (QueryChange) -> Void
  ) -> ListenerToken {
    // A query without a source has no database. Its listener receives an error.
    let queue: DispatchQueue = queue ?? database?.engine.changes.listenerQueue ?? .global()
    return LiveResult<LiveRows>.listen(
      to: { try liveResult() }, with: CoalescingListener(on: queue, listener), minimumInterval: minimumInterval,
      onEnd: onEnd
    ) { [self] result in
      switch result {
      case .success(let rows):
        QueryChange(query: self, results: ResultSet(rows.columns, rows.values, self), error: nil)
      case .failure(let error): QueryChange(query: self, results: nil, error: error)
      }
    }
  }

  /// Removes a listener. It has the same effect as ``ListenerToken/remove()``.
  ///
  /// - Parameter token: the token that ``addChangeListener(_:)`` returned.
  public func removeChangeListener(withToken token: ListenerToken) { token.remove() }

  /// Returns the rows as a live result.
  ///
  /// - Parameter limits: the limits above which a read throws an error.
  /// - Throws: the same errors as ``runner()``.
  func liveResult(limits: LiveRowLimits = LiveRowLimits()) throws -> LiveResult<LiveRows> {
    try withPublicErrors {
      guard let database else {
        _ = try runner()
        throw CBLError(CBLError.invalidQuery, "the query has no source")
      }
      let reader = try LiveQueryReader(self, in: database, limits: limits)
      return LiveResult(
        scheduler: database.engine.liveQueries, query: self, collections: try reader.collections(),
        read: { try reader.read() }, isEqual: LiveRows.hasEqualRows,
        isUnaffected: { try reader.isUnaffected($0, by: $1) })
    }
  }
}
