import BLIP

/// A message between two peers in the same process.
///
/// Messages whose body is read in parts, such as blobs, are sent in frames, which limit how much of them is in memory.
enum DirectMessage: Sendable {
  /// - Parameter revision: the revision that a `rev` message contains, instead of its properties and its body.
  case request(number: UInt64, Message, revision: ReplicaRevision?)
  case response(number: UInt64, Message)

  /// The number of the first request. Requests that are sent in frames have lower numbers.
  static let firstNumber: UInt64 = 1 << 63
}

/// Receives messages of a ``LoopbackTransport``.
protocol DirectMessageHandler: ReplicationTransportHandler {
  /// Messages were received.
  ///
  /// - Parameter size: the number of bytes to report as processed.
  func transportDidReceive(_ messages: [DirectMessage], size: Int)
}
