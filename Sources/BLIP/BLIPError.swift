/// An error of a connection. After any error except ``notAwaited(_:)``, the connection must be closed.
public enum BLIPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The peer sent bytes that are not a valid frame.
  case malformedFrame(String)
  /// The checksum of a frame does not match its payload.
  case wrongChecksum
  /// The compressed payload of a frame cannot be decompressed.
  case malformedCompression
  /// The number of a message is unexpected.
  case unexpectedNumber(UInt64)
  /// The request to respond to has already been answered or requires no response.
  case notAwaited(UInt64)
  /// A message is larger than the limit.
  case messageTooLarge(limit: Int)
  /// The peer sent too many messages concurrently, or too many requests without waiting for their responses.
  case tooManyMessages(limit: Int)
  /// The properties of a message are not pairs of strings, or are too large.
  case malformedProperties
  /// The connection is closed.
  case closed
  /// Memory allocation failed.
  case outOfMemory

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformedFrame(let what): "the peer sent a malformed frame: \(what)"
    case .wrongChecksum: "the peer sent a frame with a wrong checksum"
    case .malformedCompression: "the peer sent a compressed frame that cannot be decompressed"
    case .unexpectedNumber(let number): "the peer sent an unexpected frame of message \(number)"
    case .notAwaited(let number): "request \(number) has already been answered or requires no response"
    case .messageTooLarge(let limit): "the peer sent a message of more than \(limit) bytes"
    case .tooManyMessages(let limit): "the peer sent more than \(limit) concurrent messages"
    case .malformedProperties: "the peer sent a message with malformed properties"
    case .closed: "the connection is closed"
    case .outOfMemory: "out of memory while setting up compression for a connection"
    }
  }
}
