import DocumentStore
import JSONText

/// A result that is read again after changes, and delivered if it differs from the last delivered one.
struct LiveResult<Value: Sendable>: Sendable {
  /// Runs the reads.
  let scheduler: LiveQueryScheduler
  /// The query whose new ``Query/parameters`` cause another read; nil for searches and view queries.
  var query: Query?
  /// Whether a read may wait for another writer, as that of a view query that updates the view.
  var mayWrite = false
  /// The name of the view that is read; nil for other results.
  var view: ExactString?
  /// The collections whose changes may change the result.
  let collections: [CollectionRecord]
  /// Reads the result. The function refers to the database, which keeps it open until the ``LiveRead`` ends.
  let read: @Sendable () throws -> Value
  /// Returns whether the receiver can regard two results as the same.
  let isEqual: @Sendable (Value, Value) -> Bool
  /// Returns whether changes to documents cannot have changed a result. The second argument contains one set of ids for
  /// each collection.
  let isUnaffected: @Sendable (Value, [Set<ExactString>]) throws -> Bool

  /// Starts a read, which ends when the database is closed.
  ///
  /// - Parameters:
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - onEnd: called once, when the read ends for any reason.
  ///   - deliver: receives the results and errors.
  /// - Returns: the read; nil if the database is closed.
  func start(
    minimumInterval: Duration, onEnd: @escaping @Sendable () -> Void,
    deliver: @escaping @Sendable (Swift.Result<Value, any Error>) -> Void
  ) -> LiveRead? {
    let body = body(deliveringTo: deliver)
    guard let query else {
      return scheduler.start(
        reading: collections, view: view, mayWrite: mayWrite, minimumInterval: minimumInterval, body: body,
        onEnd: onEnd)
    }
    let (number, version) = query.nextLiveReadNumber()
    let read = scheduler.start(reading: collections, minimumInterval: minimumInterval, body: body) {
      query.forgetLiveRead(number)
      onEnd()
    }
    if let read { query.keepLiveRead(read, number, startedWith: version) }
    return read
  }

  /// Returns the body of a ``LiveRead`` that delivers results and errors.
  func body(
    deliveringTo deliver: @escaping @Sendable (Swift.Result<Value, any Error>) -> Void
  ) -> @Sendable (LiveRead.Changes) -> Void {
    let last = Locked<Value?>(nil)
    return { changes in
      let known = changes.isForced ? nil : last.withLock { $0 }
      do {
        if let known, let ids = changes.ids, try isUnaffected(known, ids) { return }
        let value = try read()
        // A read would find a new collection of the same name, whose changes are not observed.
        if changes.isLast { throw CBLError(CBLError.notFound, "a collection that the query reads was deleted") }
        // An equal result is stored too, because its rows may belong to different documents.
        last.withLock { $0 = value }
        if let known, isEqual(known, value) { return }
        deliver(.success(value))
      } catch {
        // The read has ended, so the result is no longer needed.
        if Interruption.current?.isInterrupted == true { return }
        // The next result is delivered even if it equals the last one before the error.
        last.withLock { $0 = nil }
        deliver(.failure(error))
      }
    }
  }
}
