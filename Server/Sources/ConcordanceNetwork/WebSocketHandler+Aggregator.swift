import NIOCore
import NIOWebSocket
import Replication

extension WebSocketHandler {
  /// Returns the handlers that follow the WebSocket codec in a pipeline, in order. This handler is the last.
  func makeHandlers() -> [any ChannelHandler] {
    var handlers: [any ChannelHandler] = []
    if !isClient { handlers.append(MaskingCheck()) }
    handlers.append(WebSocketHandler.makeAggregator())
    handlers.append(self)
    return handlers
  }

  /// Creates a handler that reassembles fragmented messages, which other implementations may send.
  private static func makeAggregator() -> NIOWebSocketFrameAggregator {
    NIOWebSocketFrameAggregator(
      minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: ReplicationFrames.maximumSize)
  }
}

/// Refuses frames that are not masked. Clients must mask their frames (RFC 6455, section 5.1).
///
/// It precedes the handler that joins fragments, whose result is not masked.
final class MaskingCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// The error of a frame that is not masked.
  struct Violation: Error, CustomStringConvertible {
    let description = "a frame from a client is not masked"
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard unwrapInboundIn(data).maskKey != nil else { return context.fireErrorCaught(Violation()) }
    context.fireChannelRead(data)
  }
}
