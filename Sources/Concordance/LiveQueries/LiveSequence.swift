import Synchronization

/// An asynchronous sequence of the results of a live query or live search.
///
/// Each loop runs the query independently, from its first element until it ends. Ending the loop, or cancelling its
/// task, ends the query. If the loop is slower than the changes, intermediate results are skipped. The file is read on
/// threads of the database, so that the tasks of the program are not blocked.
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
  ///   - scheduler: runs `make` on one of its threads.
  ///   - make: returns the live result. If it throws an error, the stream throws the error.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  static func stream(
    on scheduler: LiveQueryScheduler, of make: @escaping @Sendable () throws -> LiveResult, minimumInterval: Duration
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let streamed = StreamedRead()
      continuation.onTermination = { _ in streamed.end() }
      scheduler.submit {
        guard !streamed.isEnded else { return }
        do {
          let result = try make()
          let read = result.start(minimumInterval: minimumInterval, onEnd: { continuation.finish() }) { result in
            switch result {
            case .success(let value): continuation.yield(value)
            case .failure(let error): continuation.finish(throwing: error)
            }
          }
          if let read { streamed.keep(read) } else { continuation.finish() }
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }
}

/// The read of a stream. It is started on another thread, so the stream can end first.
private final class StreamedRead: Sendable {
  private struct State {
    var read: LiveRead?
    var isEnded = false
  }

  private let state = Mutex(State())

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Stores the read until the stream ends, or ends it if the stream has ended.
  func keep(_ read: LiveRead) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.read = read }
      return state.isEnded
    }
    if isEnded { read.end() }
  }

  func end() {
    let read = state.withLock { state in
      state.isEnded = true
      defer { state.read = nil }
      return state.read
    }
    read?.end()
  }
}
