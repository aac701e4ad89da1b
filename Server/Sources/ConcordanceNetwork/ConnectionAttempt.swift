import NIOCore
import Replication

/// The outcome of an attempt to connect. It is used only on the event loop of the connection.
///
/// `@unchecked Sendable`: there is no lock. The methods must be called on the promise's event loop.
final class ConnectionAttempt: @unchecked Sendable {
  let peer: String
  private let promise: EventLoopPromise<WebSocketTransport>
  private var isDone = false
  /// The channels to close if the attempt fails. There are several if the host has several addresses.
  private var channels: [any Channel] = []

  init(_ promise: EventLoopPromise<WebSocketTransport>, _ peer: String) {
    self.promise = promise
    self.peer = peer
  }

  /// Adds a channel that begins to connect.
  ///
  /// - Throws: an error if the attempt has already ended, for example while the host name was resolved. The caller
  ///   closes the channel.
  func add(_ channel: any Channel) throws {
    guard !isDone else { throw ChannelError.alreadyClosed }
    channels.append(channel)
  }

  func succeed(_ transport: WebSocketTransport) {
    guard !isDone else { return }
    isDone = true
    channels = []
    promise.succeed(transport)
  }

  /// Reports the first error and closes the channels.
  func fail(_ error: any Error) {
    guard !isDone else { return }
    isDone = true
    promise.fail(error is CancellationError ? error : NetworkError.transportError(error, peer))
    for channel in channels { channel.close(promise: nil) }
    channels = []
  }
}
