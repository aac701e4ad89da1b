/// A connection that carries whole frames of a replication in both directions, in order.
///
/// A frame is one binary message of a WebSocket, with at most ``ReplicationFrames/maximumSize`` bytes. The engine
/// creates and reads the frames; a transport never looks into them.
///
/// ```
/// start(handler) ──► handler.transportDidOpen ──► frames in both directions ──► handler.transportDidClose
/// ```
///
/// All methods can be called from any thread and return immediately. The handler is called on any thread, but never
/// concurrently, and never inside a call of the engine to the transport.
public protocol ReplicationTransport: AnyObject, Sendable {
  /// Begins to deliver events to a handler. The engine calls it once, before any other method.
  ///
  /// The transport keeps the handler until it has called
  /// ``ReplicationTransportHandler/transportDidClose(_:)``, then releases it.
  func start(_ handler: any ReplicationTransportHandler)

  /// Sends a frame.
  ///
  /// - Returns: whether the transport accepts more frames now. If false, this frame was accepted, and the engine waits
  ///   for ``ReplicationTransportHandler/transportIsWritable()`` before it sends the next one. A transport returns
  ///   false when its buffer contains more than a few hundred kilobytes. After the connection has closed, it ignores
  ///   frames and returns false.
  func send(_ frame: [UInt8]) -> Bool

  /// Reports that the engine has processed received bytes.
  ///
  /// A transport stops reading from the network while more than ``ReplicationFrames/maximumUnprocessed`` bytes of
  /// delivered frames have not been reported, so that a peer that sends faster than the engine stores cannot fill the
  /// memory.
  func didProcess(byteCount: Int)

  /// Closes the connection after the frames that were sent before, with a closing handshake if the transport has one.
  ///
  /// The handler is then called with ``ReplicationTransportHandler/transportDidClose(_:)``, exactly once, even if the
  /// peer does not answer. Closing again has no effect.
  ///
  /// - Parameters:
  ///   - code: a close code of a WebSocket, such as 1000 (normal), 1001 (going away), 1002 (protocol error), 4001
  ///     (transient error of the application) and 4002 (permanent error).
  ///   - reason: a description for logs; at most 123 bytes of it are sent.
  func close(code: Int, reason: String)

  /// Whether both peers are in one process, so that compressing frames would only cost time.
  var isLocal: Bool { get }
}

/// Receives the events of a ``ReplicationTransport``.
public protocol ReplicationTransportHandler: AnyObject, Sendable {
  /// The connection is open: for a WebSocket, the handshake is complete. A transport that is open from the beginning
  /// calls it after ``ReplicationTransport/start(_:)``.
  func transportDidOpen()

  /// A frame was received.
  func transportDidReceive(_ frame: [UInt8])

  /// The transport accepts frames again after ``ReplicationTransport/send(_:)`` has returned false.
  func transportIsWritable()

  /// The connection is closed. It is the last call.
  func transportDidClose(_ closure: TransportClosure)
}

/// The reason why a connection was closed.
public enum TransportClosure: Sendable, Hashable {
  /// One of the peers has closed the connection with a close code of a WebSocket. A transport whose connection ends
  /// without a close message reports 1006.
  ///
  /// - Parameter isRemote: whether the peer began to close the connection.
  case closed(code: Int, reason: String, isRemote: Bool)
  /// The connection failed.
  case failed(ReplicationTransportError)
}

/// An error of a connection.
public struct ReplicationTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A code of Couchbase Lite: a network error from 5001, such as 5019 (connection refused), or 10,000 plus an HTTP
  /// status or a close code of a WebSocket, such as 10401, 11006 and 14001. See `CBLError`.
  public let code: Int
  /// A description: what happened, to what, and what to do.
  public let message: String

  /// Creates an error.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Whether trying again later may succeed: the peer is not reachable, overloaded, or has closed the connection with
  /// the close code 1006 or 4001.
  public var isTransient: Bool {
    switch code {
    // DNS failure, timeout, network reset, connection aborted, reset and refused, broken pipe.
    case 5001, 5003, 5016, 5017, 5018, 5019, 5026: true
    case 10408, 10429, 10502, 10503, 10504: true
    case 11006, 14001: true
    default: isNetworkDependent
    }
  }

  /// Whether trying again may succeed after the network has changed. Only continuous replications wait for that.
  public var isNetworkDependent: Bool {
    switch code {
    // Unknown host, network down and unreachable, host down and unreachable, address not available.
    case 5002, 5020, 5021, 5023, 5024, 5025: true
    default: false
    }
  }
}

/// The limits of frames.
public enum ReplicationFrames {
  /// The maximum size of a frame in bytes. Couchbase Lite sends frames of up to 16,395 bytes, which is more than the
  /// default limit of some WebSocket libraries.
  public static let maximumSize = 64 << 10
  /// The number of delivered, unprocessed bytes at which a transport stops reading.
  public static let maximumUnprocessed = 1 << 20
  /// The name of the WebSocket protocol.
  public static let protocolName = "BLIP_3+CBMobile_4"
}

extension ReplicationTransport {
  /// Whether both peers are in one process, so that compressing frames would only cost time: false by default.
  public var isLocal: Bool { false }
}
