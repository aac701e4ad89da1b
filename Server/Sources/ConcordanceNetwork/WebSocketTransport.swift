import NIOCore
import Replication

/// A connection over a WebSocket whose handshake is complete.
///
/// Its methods only add work to a queue, which the event loop of the connection takes.
final class WebSocketTransport: ReplicationTransport {
  private let channel: any Channel
  private let handler: NIOLoopBound<WebSocketHandler>
  private let queue: SendQueue

  /// Creates the transport of a handler in the pipeline of a channel. Must be called on its event loop.
  init(_ channel: any Channel, _ handler: WebSocketHandler) {
    self.channel = channel
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    queue = handler.queue
  }

  deinit {
    // The engine releases the transport after it was closed. Before that, only a transport that was never started is
    // released, because the handler of a started transport keeps it.
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

  /// Always a separate task of the event loop, so that the engine is not called within its own calls.
  private func schedule() {
    channel.eventLoop.execute { [handler] in handler.value.performQueuedWork() }
  }
}
