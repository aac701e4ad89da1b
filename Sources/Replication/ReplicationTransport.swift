/// A connection that carries whole frames of a replication in both directions, in order.
///
/// A frame is one binary WebSocket message of at most ``ReplicationFrames/maximumSize`` bytes. The engine creates and
/// parses the frames; a transport never inspects them.
///
/// ```
/// start(handler) ──► handler.transportDidOpen ──► frames in both directions ──► handler.transportDidClose
/// ```
///
/// All methods can be called from any thread and return immediately. The handler may be called on any thread, but never
/// concurrently, and never from within a call that the engine makes to the transport.
public protocol ReplicationTransport: AnyObject, Sendable {
  /// Starts to deliver events to a handler. The engine calls this method once, before any other.
  ///
  /// The transport retains the handler until it has called
  /// ``ReplicationTransportHandler/transportDidClose(_:)``.
  func start(_ handler: any ReplicationTransportHandler)

  /// Sends a frame.
  ///
  /// - Returns: whether the transport accepts more frames now. If false, this frame was still accepted, and the engine
  ///   waits for ``ReplicationTransportHandler/transportIsWritable()`` before it sends the next one. A transport
  ///   returns false when its buffer holds more than a few hundred kilobytes. After the connection has closed, it
  ///   ignores frames and returns false.
  func send(_ frame: [UInt8]) -> Bool

  /// Reports that the engine has processed received bytes.
  ///
  /// A transport stops reading from the network while more than ``ReplicationFrames/maximumUnprocessed`` bytes of
  /// delivered frames have not been reported, so that a peer that sends faster than the engine stores cannot exhaust
  /// memory.
  func didProcess(byteCount: Int)

  /// Closes the connection after all frames sent so far, with a closing handshake if the transport has one.
  ///
  /// The transport then calls ``ReplicationTransportHandler/transportDidClose(_:)`` exactly once, even if the
  /// peer does not answer. Closing again has no effect.
  ///
  /// - Parameters:
  ///   - code: a WebSocket close code, such as 1000 (normal), 1001 (going away), 1002 (protocol error), 4001
  ///     (transient application error) or 4002 (permanent application error).
  ///   - reason: a description for logs. At most 123 bytes of it are sent.
  func close(code: Int, reason: String)

  /// Whether both peers are on the same machine, so that compressing frames would only waste time.
  var isLocal: Bool { get }
}

/// Receives the events of a ``ReplicationTransport``.
public protocol ReplicationTransportHandler: AnyObject, Sendable {
  /// The connection is open: for a WebSocket, the handshake is complete. A transport that is already open calls this
  /// method after ``ReplicationTransport/start(_:)``.
  func transportDidOpen()

  /// A frame was received.
  func transportDidReceive(_ frame: [UInt8])

  /// The transport accepts frames again after ``ReplicationTransport/send(_:)`` returned false.
  func transportIsWritable()

  /// The connection is closed. The transport makes no calls after this one.
  func transportDidClose(_ closure: TransportClosure)
}

/// The reason why a connection was closed.
public enum TransportClosure: Sendable, Hashable {
  /// One of the peers closed the connection with a WebSocket close code. If a connection ends without a close message,
  /// the transport reports code 1006.
  ///
  /// - Parameter isRemote: whether the peer initiated the close.
  case closed(code: Int, reason: String, isRemote: Bool)
  /// The connection failed.
  case failed(ReplicationTransportError)
}

/// An error of a connection.
public struct ReplicationTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A Couchbase Lite error code: a network error from 5001 upward, such as 5019 (connection refused), or 10,000 plus
  /// an HTTP status or a WebSocket close code, such as 10401, 11006 or 14001. A lower code is an error of the database.
  /// See `CBLError`.
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

  /// Whether a later attempt may succeed: the peer is unreachable or overloaded, the connection was closed with close
  /// code 1006 or 4001, or another process was writing to the database for too long.
  public var isTransient: Bool {
    switch code {
    case ReplicationTransportError.busy: true
    // DNS failure, timeout, network reset, connection aborted, reset and refused, broken pipe.
    case 5001, 5003, 5016, 5017, 5018, 5019, 5026: true
    case 10408, 10429, 10502, 10503, 10504: true
    case 11006, ReplicationTransportError.transientClosure: true
    default: isNetworkDependent
    }
  }

  /// The code of a database that another process was writing to: `CBLError.busy`.
  static let busy = 16
  /// The code of a connection that was closed with close code 4001.
  static let transientClosure = 14001
  /// The error of a peer that does not respond.
  static let noResponse = ReplicationTransportError(code: 5003, message: "the peer did not respond in time")
  /// The time in seconds that a peer has for opening a connection and its first response; the session then fails. Also
  /// the time that it has for storing the last checkpoints; the session then ends without an error.
  static let responseTimeout = 15.0
  /// The interval in seconds between two checks for a silent peer. A session ends if requests were unanswered at both
  /// checks and nothing has arrived in between.
  static let silenceTimeout = 120.0

  /// Whether an attempt may succeed after the network has changed. Only continuous replications wait for that.
  public var isNetworkDependent: Bool {
    switch code {
    // Unknown host, network down and unreachable, host down and unreachable, address not available.
    case 5002, 5020, 5021, 5023, 5024, 5025: true
    default: false
    }
  }
}

/// Limits for frames, and the name of the protocol.
public enum ReplicationFrames {
  /// The maximum size of a frame in bytes. Couchbase Lite sends frames of up to 16,395 bytes, which is more than the
  /// default limit of some WebSocket libraries.
  public static let maximumSize = 64 << 10
  /// The number of delivered but unprocessed bytes above which a transport stops reading.
  public static let maximumUnprocessed = 1 << 20
  /// The name of the WebSocket subprotocol.
  public static let protocolName = "BLIP_3+CBMobile_4"
}

extension ReplicationTransport {
  /// Returns false: by default, the peers are on different machines.
  public var isLocal: Bool { false }
}
