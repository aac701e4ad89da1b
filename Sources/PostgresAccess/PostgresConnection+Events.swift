import CPostgres

extension PostgresConnection {
  /// Asks the server to cancel the running statements, over a second connection. The call that waits for them throws an
  /// error of kind ``PostgresError/Kind/cancelled`` unless they have finished before.
  func cancel() {
    guard let handle = functions.getCancel(connection) else { return }
    defer { functions.freeCancel(handle) }
    var message = [CChar](repeating: 0, count: 256)
    _ = functions.cancel(handle, &message, Int32(message.count))
  }

  /// Returns the payloads of the notifications that have arrived on a channel to which the connection listens
  /// (`LISTEN`), and removes all.
  package func notifications(_ channel: String) throws -> [String] {
    guard functions.consumeInput(connection) == 1 else { throw lostConnection() }
    var payloads: [String] = []
    while let notification = functions.notifies(connection) {
      defer { functions.freemem(notification) }
      if String(cString: notification.pointee.relname) == channel {
        payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
      }
    }
    return payloads
  }
}
