import Concordance
public import Foundation
import Logging
import NIOCore
import Synchronization

/// Accepts WebSocket connections from replicators in other processes and on other machines.
///
/// ```swift
/// var config = URLEndpointListenerConfiguration(collections: [try database.defaultCollection()])
/// config.port = 4984
/// config.authenticator = ListenerPasswordAuthenticator { user, password in user == "ann" && password == secret }
/// let listener = URLEndpointListener(config: config)
/// try listener.start()
/// print(listener.urls)   // [wss://192.168.1.7:4984/travel]
/// ```
///
/// The listener uses Couchbase Lite 4's protocol, `BLIP_3+CBMobile_4`. The path of its URL is the name of the database.
/// The peers resolve conflicts: the listener rejects revisions that conflict with its own.
///
/// ``stop()`` tells peers to reconnect later, so continuous replicators resume after the listener restarts. Once the
/// database is closed, the listener refuses connections.
public final class URLEndpointListener: Sendable {
  /// The number of open and of active connections.
  public struct ConnectionStatus: Hashable, Sendable {
    /// The number of connected peers.
    public let connectionCount: Int
    /// The number of peers that are currently exchanging changes.
    public let activeConnectionCount: Int
  }

  /// The configuration that the listener was created with.
  public let config: URLEndpointListenerConfiguration

  private struct State {
    var listener: WebSocketListener?
    var identity: TLSIdentity?
  }

  private let state = Mutex(State())
  private let peers: ConnectedPeers

  /// Creates a listener. It does nothing until ``start()`` is called.
  public init(config: URLEndpointListenerConfiguration) {
    self.config = config
    peers = ConnectedPeers(logger: config.logger)
  }

  deinit { stop() }

  /// Starts listening. Does nothing if the listener has already been started.
  ///
  /// Creates a TLS identity if the configuration has none, opens the port, and returns without waiting for connections.
  ///
  /// - Throws: ``Concordance/CBLError/invalidParameter`` if there are no collections, they belong to different
  ///   databases, the network interface is unknown, or certificates are required without TLS;
  ///   ``Concordance/CBLError/notOpen`` if the database is closed; ``Concordance/CBLError/crypto`` if a certificate is
  ///   malformed; ``Concordance/CBLError/ioError`` if the port cannot be opened.
  public func start() throws {
    try state.withLock { state in
      guard state.listener == nil else { return }
      let database = try checkedDatabase()
      let identity =
        try config.disableTLS ? nil : config.tlsIdentity ?? TLSIdentity.createIdentity(hosts: config.certificateHosts())
      var settings = WebSocketListener.Settings(path: "/\(database.name)/_blipsync")
      settings.connections.connectionCount = config.maximumConnectionCount
      settings.password = (config.authenticator as? ListenerPasswordAuthenticator)?.check
      settings.tls = try identity.map { try makeTLS($0) }
      let (peers, config, admission) = (peers, config, peers.admit())
      let listener = WebSocketListener(settings, logger: config.logger) { transport in
        do {
          peers.accept(transport, try config.offeredCollections(), isReadOnly: config.readOnly, admission)
        } catch {
          config.logger.error("the collections of the database cannot be read: \(error)")
          // After 4001, the peer connects again later.
          let isBusy = (error as? CBLError)?.code == CBLError.busy
          transport.close(code: isBusy ? 4001 : 1011, reason: "the database cannot be read")
        }
      }
      try open(listener)
      (state.listener, state.identity) = (listener, identity)
    }
  }

  /// Stops listening and closes all connections with close code 4001, which tells continuous replicators to reconnect
  /// later. Returns before the connections are closed; to wait for that, use ``stopped()``.
  public func stop() {
    let listener = state.withLock { state in
      defer { state = State() }
      return state.listener
    }
    listener?.stop()
    peers.closeAll()
  }

  /// Stops listening, as ``stop()`` does, and waits until all connections are closed. Peers that do not respond are
  /// disconnected after a few seconds.
  public func stopped() async {
    stop()
    await peers.waitUntilEmpty()
  }

  /// The port that the listener is bound to; nil before ``start()`` and after ``stop()``.
  public var port: UInt16? { address?.port.map { UInt16(clamping: $0) } }

  /// The URLs of the database, one for each address of this machine that the listener is bound to; nil before
  /// ``start()`` and after ``stop()``.
  public var urls: [URL]? {
    guard let address, let port = address.port, let ip = address.ipAddress, let name = try? databaseName() else {
      return nil
    }
    // If the addresses of this machine cannot be listed, the loopback address is returned.
    let hosts = (try? NetworkInterface.addresses(boundTo: ip)) ?? ["127.0.0.1"]
    return hosts.compactMap { host in
      var parts = URLComponents()
      parts.scheme = config.disableTLS ? "ws" : "wss"
      parts.host = host.contains(":") ? "[\(host)]" : host
      parts.port = port
      parts.path = "/\(name)"
      return parts.url
    }
  }

  /// The listener's identity, for example for pinning its certificate in clients; nil before ``start()``, after
  /// ``stop()``, and if TLS is disabled.
  public var tlsIdentity: TLSIdentity? { state.withLock { $0.identity } }

  /// The current number of open and of active connections.
  public var status: ConnectionStatus { peers.status }

  private var address: SocketAddress? { state.withLock { $0.listener }?.address }

  private func databaseName() throws -> String {
    guard let first = config.collections.first else {
      throw CBLError(code: CBLError.invalidParameter, message: "the configuration of the listener has no collections")
    }
    return first.database.name
  }

  private func checkedDatabase() throws -> Database {
    _ = try databaseName()
    guard let database = config.collections.first?.database,
      config.collections.allSatisfy({ $0.database === database })
    else {
      throw CBLError(
        code: CBLError.invalidParameter, message: "the collections of a listener must share one Database object")
    }
    // Throws if the database is closed.
    for collection in config.collections { _ = try collection.indexes() }
    if config.disableTLS, config.authenticator is ListenerCertificateAuthenticator {
      throw CBLError(
        code: CBLError.invalidParameter, message: "client certificates require TLS; set disableTLS to false")
    }
    guard config.maximumConnectionCount > 0 else {
      throw CBLError(code: CBLError.invalidParameter, message: "maximumConnectionCount must be 1 or more")
    }
    return database
  }

  private func makeTLS(_ identity: TLSIdentity) throws -> ListenerTLS {
    let check: (@Sendable ([[UInt8]]) -> Bool)?
    do {
      check = try (config.authenticator as? ListenerCertificateAuthenticator)?.makeCheck()
    } catch {
      throw CBLError(
        code: CBLError.crypto, message: "the certificates of the ListenerCertificateAuthenticator are malformed")
    }
    do {
      return try ListenerTLS(identity, checkClient: check)
    } catch {
      throw CBLError(
        code: CBLError.crypto, message: "the certificate or the private key of the listener cannot be used")
    }
  }

  private func open(_ listener: WebSocketListener) throws {
    let port = Int(config.port ?? 0)
    // A socket bound to :: also accepts IPv4 connections, but binding to it fails on systems without IPv6.
    let hosts = config.networkInterface.map { [$0] } ?? ["::", "0.0.0.0"]
    var failure: (any Error)?
    for host in hosts {
      let address = try NetworkInterface.address(host, port: port)
      do {
        return try listener.start(on: address)
      } catch let error as IOError where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL {
        failure = error
      } catch {
        failure = error
        break
      }
    }
    let reason = (failure as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "unknown error"
    throw CBLError(
      code: CBLError.ioError,
      message: "cannot listen on \(config.networkInterface ?? "any address"), port \(port): \(reason)")
  }
}
