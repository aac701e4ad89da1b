import DocumentStore

extension LiveResult {
  /// Starts reading, and delivers the results and errors to a listener.
  ///
  /// - Parameters:
  ///   - make: returns the live result. If it throws an error, the listener receives the error, and no result follows.
  ///   - delivery: calls the listener.
  ///   - minimumInterval: the minimum time between the starts of two runs.
  ///   - onEnd: called once, when no further result can arrive: the token was removed, or the database or the
  ///     collection no longer exists. It may be called before this function returns.
  ///   - element: returns the value that the listener receives for a result or an error.
  /// - Returns: a token that removes the listener.
  static func listen<Element: Sendable>(
    to make: () throws -> LiveResult, with delivery: CoalescingListener<Element>, minimumInterval: Duration,
    onEnd: @escaping @Sendable () -> Void = {},
    element: @escaping @Sendable (Swift.Result<Value, any Error>) -> Element
  ) -> ListenerToken {
    do {
      let read = try make().start(minimumInterval: minimumInterval, onEnd: onEnd) { delivery.deliver(element($0)) }
      if read == nil { onEnd() }
      return ListenerToken {
        delivery.end()
        read?.end()
      }
    } catch {
      delivery.deliver(element(.failure(error)))
      // Called only when the token is removed, because a caller that waits for the first result must receive the error.
      let pendingEnd = Locked<(@Sendable () -> Void)?>(onEnd)
      return ListenerToken {
        delivery.end()
        let onEnd = pendingEnd.withLock { pending in
          defer { pending = nil }
          return pending
        }
        onEnd?()
      }
    }
  }
}
