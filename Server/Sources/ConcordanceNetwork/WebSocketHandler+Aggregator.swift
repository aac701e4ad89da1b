import NIOWebSocket
import Replication

extension WebSocketHandler {
  /// Creates a handler that reassembles fragmented messages, which other implementations may send.
  static func makeAggregator() -> NIOWebSocketFrameAggregator {
    NIOWebSocketFrameAggregator(
      minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: ReplicationFrames.maximumSize)
  }
}
