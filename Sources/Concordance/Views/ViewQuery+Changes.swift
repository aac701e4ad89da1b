public import Foundation
import JSONText

/// Live view queries: view queries that run again when documents change.
extension ViewQuery {
  /// Registers a listener for the rows. It is called with the current rows, and again whenever they change.
  ///
  /// ```swift
  /// let token = byDate.createQuery().addChangeListener { result in
  ///   print((try? result.get().map(\.keyJSON)) ?? [])
  /// }
  /// ```
  ///
  /// The query runs again if the collection has changed or the view has a new version; each run updates the view
  /// according to ``indexUpdateMode``. ``Query/addChangeListener(withQueue:minimumInterval:_:)`` describes when the
  /// query runs again. Options that are set later have no effect on the listener.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the listener is called; nil for a serial queue of the database.
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  ///   - listener: the closure to call. It receives the rows or the error of a run.
  /// - Returns: a token that removes the listener.
  public func addChangeListener(
    queue: DispatchQueue? = nil, minimumInterval: Duration = Query.defaultMinimumInterval,
    _ listener: @escaping (Swift.Result<ViewRows, any Error>) -> Void
  ) -> ListenerToken {
    LiveViewQuery(self).addListener(queue: queue, minimumInterval, onEnd: {}, listener)
  }

  /// Returns an asynchronous sequence of the rows: the current rows, and the new rows whenever they change.
  ///
  /// ```swift
  /// for try await rows in byDate.createQuery().changes() { print(rows.count) }
  /// ```
  ///
  /// - Parameter minimumInterval: the minimum time between the starts of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime.
  public func changes(minimumInterval: Duration = Query.defaultMinimumInterval) -> LiveSequence<ViewRows> {
    LiveSequence(LiveViewQuery(self).stream(minimumInterval)) { rows, _ in rows }
  }

  /// Returns an asynchronous sequence of the rows, with the differences between them.
  ///
  /// A row is identified by the document that emitted it, and a reduced row by its key. If a document has several rows,
  /// they are matched in their order.
  ///
  /// - Parameter minimumInterval: the minimum time between the starts of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime.
  /// - Complexity: O(n log n) in the number of rows for each difference.
  public func differences(
    minimumInterval: Duration = Query.defaultMinimumInterval
  ) -> LiveSequence<ViewDifference> {
    LiveSequence(LiveViewQuery(self).stream(minimumInterval)) { rows, previous in
      let old = previous.map { Array($0) } ?? []
      let difference = ListDifference(from: old.map(\.identity), to: rows.map(\.identity)) { old[$0] != rows[$1] }
      return ViewDifference(rows: rows, difference: difference)
    }
  }
}

/// The rows of a live view query, and the difference from the previous rows.
public struct ViewDifference: Sendable {
  /// The rows.
  public let rows: ViewRows
  /// The difference from the previous element of the sequence.
  public let difference: ListDifference
}

/// A view query with the options that it had when it became live.
struct LiveViewQuery: Sendable {
  private let collection: Collection
  /// The live result, or the error for a key that JSON cannot represent, which is delivered to the listener.
  private let result: Swift.Result<LiveResult<ViewRows>, any Error>

  init(_ query: ViewQuery) {
    collection = query.source.collection
    result = Swift.Result {
      let selection = try withPublicErrors { try ViewSelection(query) }
      return LiveResult(
        scheduler: selection.collection.engine.liveQueries, mayWrite: selection.mayWrite,
        view: LiveViewQuery.view(selection), collections: [selection.collection.record],
        read: { try withPublicErrors { try ViewQueryRun(selection).run() } }, isEqual: { $0.elementsEqual($1) },
        isUnaffected: { _, _ in false })
    }
  }

  private static func view(_ selection: ViewSelection) -> ExactString? {
    switch selection.source {
    case .view(let view): ExactString(view.name)
    case .allDocuments: nil
    }
  }

  /// Registers a listener.
  ///
  /// - Parameter onEnd: see ``LiveResult/listen(to:with:minimumInterval:onEnd:element:)``.
  func addListener(
    queue: DispatchQueue?, _ minimumInterval: Duration, onEnd: @escaping @Sendable () -> Void,
    _ listener: @escaping (Swift.Result<ViewRows, any Error>) -> Void
  ) -> ListenerToken {
    LiveResult<ViewRows>.listen(
      to: { try result.get() },
      with: CoalescingListener(on: queue ?? collection.engine.changes.listenerQueue, listener),
      minimumInterval: minimumInterval, onEnd: onEnd
    ) { $0 }
  }

  /// Returns a function that starts the query.
  func stream(_ minimumInterval: Duration) -> @Sendable () -> AsyncThrowingStream<ViewRows, any Error> {
    {
      LiveResult<ViewRows>.stream(
        on: collection.engine.liveQueries, of: { try result.get() }, minimumInterval: minimumInterval)
    }
  }
}
