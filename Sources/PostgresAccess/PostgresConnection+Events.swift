import CPostgres
import Foundation

extension PostgresConnection {
  /// Asks the server to cancel the running statements, over a second connection. The call that waits for them throws an
  /// error of kind ``PostgresError/Kind/cancelled`` unless they have finished before.
  ///
  /// - Returns: a group that is left when the server has received the request. libpq waits for that without a limit, so
  ///   another thread sends the request.
  func cancel() -> DispatchGroup {
    let sending = DispatchGroup()
    guard let handle = functions.getCancel(connection) else { return sending }
    let request = CancelRequest(functions: functions, handle: handle)
    sending.enter()
    Thread.detachNewThread {
      request.send()
      sending.leave()
    }
    return sending
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

/// A request to cancel the statements of a connection.
///
/// `@unchecked Sendable`: needs no lock, because only the thread that sends it uses it. libpq has copied into it what
/// it needs of the connection.
private struct CancelRequest: @unchecked Sendable {
  let functions: CPostgresFunctions
  let handle: OpaquePointer

  func send() {
    defer { functions.freeCancel(handle) }
    var message = [CChar](repeating: 0, count: 256)
    _ = functions.cancel(handle, &message, Int32(message.count))
  }
}
