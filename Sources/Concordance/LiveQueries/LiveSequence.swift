/// An asynchronous sequence of the results of a live query or live search.
///
/// Each loop runs the query independently, from its first element until it ends. Ending the loop, or cancelling its
/// task, ends the query. If the loop is slower than the changes, intermediate results are skipped.
///
/// The sequence ends when the database is closed. It throws the error of a run, and ``CBLError/notFound`` if a
/// collection of the query is deleted.
public struct LiveSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The state of a loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let advance: () async throws -> Element?

    /// Waits for the next result.
    ///
    /// - Returns: the result; nil after the database was closed or the task was cancelled.
    /// - Throws: the error of a run, for example after a collection of the query was deleted.
    public mutating func next() async throws -> Element? { try await advance() }
  }

  private let makeIterator: @Sendable () -> Iterator

  /// Creates a sequence of results.
  ///
  /// - Parameters:
  ///   - start: starts the query.
  ///   - element: returns the element for a result and the previous result.
  init<Value: Sendable>(
    _ start: @escaping @Sendable () -> AsyncThrowingStream<Value, any Error>,
    element: @escaping @Sendable (_ value: Value, _ previous: Value?) -> Element
  ) {
    makeIterator = {
      var results = start().makeAsyncIterator()
      var previous: Value?
      return Iterator {
        guard let value = try await results.next() else { return nil }
        defer { previous = value }
        return element(value, previous)
      }
    }
  }

  /// Returns an iterator, and starts the query for its loop.
  public func makeAsyncIterator() -> Iterator { makeIterator() }
}

extension LiveResult {
  /// Starts reading and returns the stream of values, which buffers only the latest one.
  func stream(
    start:
      @escaping @Sendable (
        _ body: @escaping @Sendable (LiveRead.Changes) -> Void, _ onEnd: @escaping @Sendable () -> Void
      ) -> LiveRead?
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let read = start(
        body { result in
          switch result {
          case .success(let value): continuation.yield(value)
          case .failure(let error): continuation.finish(throwing: error)
          }
        }, { continuation.finish() })
      guard let read else { return continuation.finish() }
      continuation.onTermination = { _ in read.end() }
    }
  }
}
