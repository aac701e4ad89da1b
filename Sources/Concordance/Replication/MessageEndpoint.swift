public import Foundation
public import Replication

/// The form of the data that a ``MessageEndpointConnection`` carries.
public enum ProtocolType: UInt8, Sendable {
  /// Whole messages, in order.
  case messageStream = 0
  /// Bytes, in order, which may be divided anywhere.
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

/// An error of a program's connection.
public struct MessagingError: Error, Sendable {
  /// The error of the connection.
  public let error: any Error
  /// Whether trying again later may succeed.
  public let isRecoverable: Bool

  /// Creates an error.
  public init(error: any Error, isRecoverable: Bool) {
    self.error = error
    self.isRecoverable = isRecoverable
  }
}

/// A connection of a program, such as a Bluetooth or serial connection.
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
  ///   - completion: must be called once: with true when the next message can be sent, or with false and an error, which
  ///     closes the connection.
  func send(message: Message, completion: @escaping @Sendable (Bool, MessagingError?) -> Void)
}

/// The replicator's end of a ``MessageEndpointConnection``. Its methods can be called on any thread, and return
/// immediately.
public protocol ReplicatorConnection: AnyObject, Sendable {
  /// Closes the replicator's end, because the peer has closed the connection, or because of an error.
  func close(error: MessagingError?)

  /// Passes on a message that was received from the peer.
  func receive(message: Message)
}

/// Creates the connections of a ``MessageEndpoint``.
public protocol MessageEndpointDelegate: AnyObject, Sendable {
  /// Returns a new connection to the peer. It is called for each attempt to connect.
  func createConnection(endpoint: MessageEndpoint) -> any MessageEndpointConnection
}

/// A peer that is reached over a connection of the program.
///
/// ```swift
/// let endpoint = MessageEndpoint(uid: "phone-7", target: peer, protocolType: .messageStream, delegate: connections)
/// ```
///
/// On the other side, a ``MessageEndpointListener`` accepts the connection.
///
/// `@unchecked Sendable`: `target` can have any type. There is no lock, because the library never uses it.
public final class MessageEndpoint: Endpoint, EndpointConnector, @unchecked Sendable {
  /// A text that identifies the peer in checkpoints.
  public let uid: String
  /// Any object that the delegate needs to find the peer. There is no lock: it is never used by the library.
  public let target: Any?
  /// The form of the data.
  public let protocolType: ProtocolType
  private let delegate: any MessageEndpointDelegate

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - uid: a text that identifies the peer. A checkpoint is valid only for the peer with the same text.
  ///   - target: any object that the delegate needs, or nil.
  ///   - protocolType: whether the connection keeps the boundaries of messages.
  ///   - delegate: creates connections.
  public init(uid: String, target: Any?, protocolType: ProtocolType, delegate: any MessageEndpointDelegate) {
    self.uid = uid
    self.target = target
    self.protocolType = protocolType
    self.delegate = delegate
  }

  /// The text that identifies the peer.
  public var remoteID: String { uid }

  /// Returns the endpoint itself.
  public func makeConnector() throws -> any EndpointConnector { self }

  /// Returns a transport over a new connection.
  public func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
    MessageTransport(delegate.createConnection(endpoint: self), protocolType)
  }
}
