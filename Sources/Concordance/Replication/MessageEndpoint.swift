public import Foundation
public import Replication

/// How a ``MessageEndpointConnection`` frames data.
public enum ProtocolType: UInt8, Sendable {
  /// Whole messages, in order.
  case messageStream = 0
  /// A stream of bytes, in order, which may be split at any point.
  case byteStream
}

/// The data that a connection of a ``MessageEndpoint`` carries.
public struct Message: Sendable, Hashable {
  private let data: Data

  init(_ data: Data) { self.data = data }

  /// Returns a message with the content of `data`.
  public static func fromData(_ data: Data) -> Message { Message(data) }

  /// Returns the content.
  public func toData() -> Data { data }
}

/// An error of a ``MessageEndpointConnection``.
public struct MessagingError: Error, Sendable {
  /// The error of the connection.
  public let error: any Error
  /// Whether trying again later may succeed.
  public let isRecoverable: Bool

  /// Creates an error. `isRecoverable` states whether trying again later may succeed.
  public init(error: any Error, isRecoverable: Bool) {
    self.error = error
    self.isRecoverable = isRecoverable
  }
}

/// A connection that the application implements, for example over Bluetooth or a serial line.
///
/// Its methods are called one at a time, on any thread.
public protocol MessageEndpointConnection: AnyObject, Sendable {
  /// Opens the connection.
  ///
  /// - Parameters:
  ///   - connection: the replicator's end, which receives data with ``ReplicatorConnection/receive(message:)``.
  ///   - completion: must be called once: with true when the connection is open, or with false and an error.
  func open(connection: any ReplicatorConnection, completion: @escaping @Sendable (Bool, MessagingError?) -> Void)

  /// Closes the connection.
  ///
  /// - Parameters:
  ///   - error: the reason, or nil if it is closed normally.
  ///   - completion: must be called once when the connection is closed.
  func close(error: (any Error)?, completion: @escaping @Sendable () -> Void)

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - message: the message, which must arrive whole and in order.
  ///   - completion: must be called once: with true when the next message can be sent, or with false and an error,
  ///     which closes the connection. A connection that is being closed waits for it for at most five seconds.
  func send(message: Message, completion: @escaping @Sendable (Bool, MessagingError?) -> Void)
}

/// The replicator's end of a ``MessageEndpointConnection``. Its methods can be called on any thread, and return
/// immediately.
public protocol ReplicatorConnection: AnyObject, Sendable {
  /// Closes the replicator's end. `error` is nil if the peer closed the connection normally.
  func close(error: MessagingError?)

  /// Passes a message received from the peer to the replicator.
  ///
  /// More than 32 MiB that the replicator has not processed close the connection with a transient error.
  func receive(message: Message)
}

/// Creates the connections of a ``MessageEndpoint``.
public protocol MessageEndpointDelegate: AnyObject, Sendable {
  /// Returns a new connection to the peer of `endpoint`. It is called for each attempt to connect.
  func createConnection(endpoint: MessageEndpoint) -> any MessageEndpointConnection
}

/// A peer that is reached over a connection that the application implements.
///
/// ```swift
/// let endpoint = MessageEndpoint(uid: "phone-7", target: peer, protocolType: .messageStream, delegate: connections)
/// ```
///
/// On the other side, a ``MessageEndpointListener`` accepts the connection.
///
/// `@unchecked Sendable`: `target` can have any type. There is no lock, because the library never uses it.
public final class MessageEndpoint: Endpoint, EndpointConnector, @unchecked Sendable {
  /// A string that identifies the peer in checkpoints.
  public let uid: String
  /// Any object that the delegate needs to find the peer. The library never uses it.
  public let target: Any?
  /// How the connection frames data.
  public let protocolType: ProtocolType
  private let delegate: any MessageEndpointDelegate

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - uid: a string that identifies the peer. A checkpoint is valid only for a peer with the same string.
  ///   - target: any object that the delegate needs, or nil.
  ///   - protocolType: whether the connection keeps the boundaries of messages.
  ///   - delegate: creates connections.
  public init(uid: String, target: Any?, protocolType: ProtocolType, delegate: any MessageEndpointDelegate) {
    self.uid = uid
    self.target = target
    self.protocolType = protocolType
    self.delegate = delegate
  }

  /// The string that identifies the peer: ``uid``.
  public var remoteID: String { uid }

  /// Returns the endpoint itself; never throws.
  public func makeConnector() throws -> any EndpointConnector { self }

  /// Returns a transport over a new connection of the delegate. It ignores `options` and never throws.
  public func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
    MessageTransport(delegate.createConnection(endpoint: self), protocolType)
  }
}
