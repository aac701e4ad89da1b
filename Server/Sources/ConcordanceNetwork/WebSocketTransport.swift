import NIOCore
import Replication

/// A WebSocket connection whose handshake is complete.
///
/// Its methods only queue work, which the connection's event loop performs.
final class WebSocketTransport: ReplicationTransport {
  private let channel: any Channel
  private let handler: NIOLoopBound<WebSocketHandler>
  private let queue: SendQueue
  /// Whether the peer has a loopback address and no proxy has forwarded the connection.
  let isLocal: Bool

  /// Creates a transport for a handler in a channel's pipeline. Must be called on the channel's event loop.
  ///
  /// - Parameter isForwarded: whether a proxy has forwarded the connection, so that its address is not that of the
  ///   peer.
  init(_ channel: any Channel, _ handler: WebSocketHandler, isForwarded: Bool = false) {
    isLocal = !isForwarded && channel.remoteAddress?.isLoopback ?? false
    self.channel = channel
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    queue = handler.queue
  }

  deinit {
    // The engine releases a transport only after it was closed, because the handler of a started transport retains it
    // until then. An open connection is closed here only if the transport was never started.
    channel.close(promise: nil)
  }

  func start(_ handler: any ReplicationTransportHandler) {
    channel.eventLoop.execute { self.handler.value.start(handler, keeping: self) }
  }

  func send(_ frame: [UInt8]) -> Bool { queue.add(frame, schedule: schedule) }

  func didProcess(byteCount: Int) { queue.didProcess(byteCount, schedule: schedule) }

  func close(code: Int, reason: String) {
    queue.close(CloseMessage(code: code, reason: reason), schedule: schedule)
  }

  /// Always submits a separate task to the event loop, so that the engine is not called from within its own calls.
  private func schedule() {
    channel.eventLoop.execute { [handler] in handler.value.performQueuedWork() }
  }
}

extension SocketAddress {
  /// Whether the address belongs to this machine only.
  var isLoopback: Bool {
    guard let ipAddress else { return false }
    // A socket that listens on :: reports IPv4 addresses in this form.
    let text = ipAddress.hasPrefix("::ffff:") ? String(ipAddress.dropFirst(7)) : ipAddress
    return RequestOrigin.isLoopback(text)
  }
}
