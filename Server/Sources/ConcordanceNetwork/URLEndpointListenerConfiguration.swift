public import Concordance
public import Logging
import NIOCore

/// The configuration of a ``URLEndpointListener``.
public struct URLEndpointListenerConfiguration: Sendable {
  /// The collections that peers may access. All of them must belong to the same database.
  public var collections: [Concordance.Collection]
  /// Whether peers may access all collections of the database that ``collections`` belong to. They are read for each
  /// connection, so collections that are created while the listener runs are offered to the next one.
  @_spi(Command) public var includesNewCollections = false
  /// The port; nil or 0 lets the system choose one.
  public var port: UInt16?
  /// The network interface to listen on, such as `eth0`, or an IP address; nil for all interfaces.
  public var networkInterface: String?
  /// Whether TLS is disabled. Connections are then unencrypted, and other machines on the network can read all data.
  public var disableTLS = false
  /// The identity of the listener; nil to create a self-signed one each time the listener starts.
  public var tlsIdentity: TLSIdentity?
  /// Decides which clients may connect; nil for all. A ``ListenerCertificateAuthenticator`` requires TLS.
  public var authenticator: (any ListenerAuthenticator)?
  /// Whether changes pushed by peers are rejected with HTTP status 403.
  public var readOnly = false
  /// The maximum number of connections. Further ones are refused with HTTP status 503, and clients try again later.
  public var maximumConnectionCount = 256
  /// Receives warnings.
  public var logger = Logger(label: "concordance.listener")

  /// Creates a configuration for the given collections.
  public init(collections: [Concordance.Collection]) { self.collections = collections }

  /// Returns the collections that a peer which connects now may access. It may block.
  ///
  /// - Throws: ``Concordance/CBLError`` if the database is closed or cannot be read.
  func offeredCollections() throws -> [Concordance.Collection] {
    guard includesNewCollections, let database = collections.first?.database else { return collections }
    return try database.scopes().flatMap { try $0.collections() }
  }

  /// Returns the names and the IP addresses for which a certificate of the listener should be valid: `localhost`, the
  /// loopback addresses, and the addresses that the listener is bound to.
  ///
  /// - Throws: ``Concordance/CBLError/invalidParameter`` if there is no such network interface, or a system error if
  ///   the addresses of this machine cannot be listed.
  public func certificateHosts() throws -> [String] {
    let ip = try networkInterface.map { try NetworkInterface.address($0).ipAddress ?? $0 } ?? "::"
    let known = ["localhost", "127.0.0.1", "::1"]
    return known + (try NetworkInterface.addresses(boundTo: ip)).filter { !known.contains($0) }
  }
}
