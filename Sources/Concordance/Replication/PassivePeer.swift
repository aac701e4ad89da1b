public import Replication

/// The passive side of a replication: serves a connection that a listener has accepted.
///
/// ```swift
/// let peer = PassivePeer(transport: transport, collections: [hotels], isReadOnly: false) { status in … }
/// peer.start()
/// …
/// peer.close()
/// ```
///
/// The other peer can access only the given collections, and blobs that their documents refer to. The passive side
/// never resolves conflicts: it refuses revisions that conflict with its own.
///
/// The peer keeps itself and the database alive until the connection is closed.
public final class PassivePeer: Sendable {
  /// The state of a connection.
  public struct Status: Sendable, Hashable {
    /// Whether the connection is closed. It does not change afterwards.
    public var isClosed = false
    /// Whether messages are being processed.
    public var isActive = false
    /// The error that closed the connection; nil if it was closed normally.
    public var error: ReplicationTransportError?
  }

  /// Creates a peer, which does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - transport: the accepted connection; not started.
  ///   - collections: the collections that the other peer may access, all of one database.
  ///   - isReadOnly: whether revisions that the other peer pushes are refused with HTTP/403.
  ///   - onStatus: called after each change of the status, on any thread, never concurrently.
  public init(
    transport: any ReplicationTransport, collections: [Collection], isReadOnly: Bool = false,
    onStatus: @escaping @Sendable (Status) -> Void = { _ in }
  ) {
    self.transport = transport
  }

  private let transport: any ReplicationTransport

  /// The current status.
  public var status: Status { Status() }

  /// Starts the transport and serves the connection.
  public func start() { transport.close(code: 1011, reason: "not available") }

  /// Closes the connection. The status becomes closed when the transport is closed.
  ///
  /// - Parameter code: the close code. A listener that stops but will return closes with 4001, which makes active peers
  ///   try again; after 1001, they stop.
  public func close(code: Int = 1001) { transport.close(code: code, reason: "closed") }
}
