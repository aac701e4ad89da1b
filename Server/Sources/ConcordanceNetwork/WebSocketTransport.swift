import NIOCore
import Replication

/// A WebSocket connection whose handshake is complete.
///
/// Its methods only queue work, which the connection's event loop performs.
final class WebSocketTransport: ReplicationTransport {
  private let channel: any Channel
  private let handler: NIOLoopBound<WebSocketHandler>
  private let queue: SendQueue

  /// Creates a transport for a handler in a channel's pipeline. Must be called on the channel's event loop.
  init(_ channel: any Channel, _ handler: WebSocketHandler) {
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
