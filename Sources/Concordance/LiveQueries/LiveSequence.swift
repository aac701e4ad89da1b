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
  ///
  /// - Parameters:
  ///   - make: returns the live result. If it throws an error, the stream throws the error.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  static func stream(
    of make: () throws -> LiveResult, minimumInterval: Duration
  ) -> AsyncThrowingStream<Value, any Error> {
    let result: LiveResult
    do {
      result = try make()
    } catch {
      return AsyncThrowingStream { throw error }
    }
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let read = result.start(minimumInterval: minimumInterval, onEnd: { continuation.finish() }) { result in
        switch result {
        case .success(let value): continuation.yield(value)
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
      guard let read else { return continuation.finish() }
      continuation.onTermination = { _ in read.end() }
    }
  }
}
