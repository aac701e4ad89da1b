import DocumentStore
public import Foundation
import Replication

/// The configuration of a ``MessageEndpointListener``.
public struct MessageEndpointListenerConfiguration: Sendable {
  /// The collections that peers may access, at least one, all of one `Database` object.
  public let collections: [Collection]
  /// How connections frame data.
  public let protocolType: ProtocolType

  /// Creates a configuration for `collections`, which must belong to one `Database` object. Otherwise, the listener
  /// closes each connection.
  public init(collections: [Collection], protocolType: ProtocolType) {
    self.collections = collections
    self.protocolType = protocolType
  }
}

/// A status change of a connection of a ``MessageEndpointListener``.
public struct MessageEndpointListenerChange: Sendable {
  /// The connection.
  public let connection: any MessageEndpointConnection
  /// The status of the peer.
  public let status: PassivePeer.Status
}

/// Accepts connections that the application implements, over which other databases replicate with this one.
///
/// ```swift
/// let listener = MessageEndpointListener(
///   config: MessageEndpointListenerConfiguration(collections: [hotels], protocolType: .messageStream))
/// listener.accept(connection: connection)
/// ```
public final class MessageEndpointListener: Sendable {
  /// The configuration.
  public let config: MessageEndpointListenerConfiguration

  private struct Accepted {
    let connection: any MessageEndpointConnection
    let peer: PassivePeer
  }

  private let accepted = Locked<[ObjectIdentifier: Accepted]>([:])
  private let changes = ReplicatorListeners<MessageEndpointListenerChange>()
  private let queues = ReplicatorQueues()
  /// The default queue for listeners.
  private let listenerQueue = DispatchQueue(label: "concordance.message-listener")

  /// Creates a listener that accepts no connections until ``accept(connection:)`` is called.
  public init(config: MessageEndpointListenerConfiguration) { self.config = config }

  /// The number of open connections.
  public var connectionCount: Int { accepted.withLock { $0.count } }

  /// Opens a connection and serves it until it is closed. It is closed with an error that describes the mistake if the
  /// configuration has no collections, or collections of different `Database` objects.
  public func accept(connection: any MessageEndpointConnection) {
    let id = ObjectIdentifier(connection)
    let peer = PassivePeer(
      transport: MessageTransport(connection, config.protocolType), collections: config.collections
    ) { [weak self] status in
      guard let self else { return }
      if status.isClosed {
        let removed = accepted.withLock { $0.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
      }
      changes.deliver(MessageEndpointListenerChange(connection: connection, status: status))
    }
    accepted.withLock { $0[id] = Accepted(connection: connection, peer: peer) }
    peer.start()
  }

  /// Closes a connection that was accepted. Does nothing if it is already closed.
  public func close(connection: any MessageEndpointConnection) {
    accepted.withLock { $0[ObjectIdentifier(connection)]?.peer }?.close()
  }

  /// Closes all connections.
  public func closeAll() {
    for entry in accepted.withLock({ Array($0.values) }) { entry.peer.close() }
  }

  /// Registers a listener for status changes of the connections.
  ///
  /// - Parameters:
  ///   - queue: the queue on which it is called; nil for a serial queue of the listener.
  ///   - listener: called with each change, in order for each connection.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addChangeListener(
    withQueue queue: DispatchQueue? = nil, _ listener: @escaping (MessageEndpointListenerChange) -> Void
  ) -> ListenerToken {
    changes.add(on: queues.serialQueue(targeting: queue ?? listenerQueue), listener)
  }
}
