public import Foundation
public import Replication

/// The peer of a ``Replicator``: ``DatabaseEndpoint``, ``MessageEndpoint``, or a URL.
public protocol Endpoint: Sendable {
  /// Returns an object that connects to the peer.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the endpoint cannot be used.
  func makeConnector() throws -> any EndpointConnector
}

/// Connects a ``Replicator`` to its peer, once for each attempt.
public protocol EndpointConnector: Sendable {
  /// A string that identifies the peer, such as its URL. A checkpoint is valid only for a peer with the same string.
  var remoteID: String { get }

  /// Connects to the peer.
  ///
  /// A replicator cancels the task of this call when it is stopped. If the peer rejects the connection, the code of the
  /// error is 10,000 plus the HTTP status; if it accepts none of the protocols, the code is 11002.
  ///
  /// - Returns: a transport that has not been started. It may already be open, or open later.
  /// - Throws: `ReplicationTransportError`, which determines whether the replicator tries again; other errors are
  ///   permanent.
  func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport
}

/// The options of a ``ReplicatorConfiguration`` that concern the connection.
public struct EndpointConnectionOptions: Sendable {
  /// The protocols to offer as `Sec-WebSocket-Protocol`, in order of preference.
  public var protocols = [ReplicationFrames.protocolName]
  /// The credentials, or nil.
  public var authenticator: (any Authenticator)?
  /// Additional HTTP headers.
  public var headers: [String: String] = [:]
  /// The certificate of the server or of an issuer, in PEM or DER form; the server must present it. Nil for any trusted
  /// certificate.
  public var pinnedServerCertificate: Data?
  /// Whether only self-signed certificates are accepted.
  public var acceptOnlySelfSignedServerCertificate = false
  /// Whether cookies for a parent domain are accepted.
  public var acceptParentDomainCookie = false
  /// The name of the network interface to use; nil for the interface that the system chooses.
  public var networkInterface: String?
  /// The interval between pings in seconds.
  public var heartbeat: TimeInterval = 300
  /// Receives information about the connection while it is being established. It can be called from any thread.
  public var didReceive: @Sendable (EndpointConnectionEvent) -> Void = { _ in }

  /// Creates the default options.
  public init() {}
}

/// Information about a connection that is being established.
public enum EndpointConnectionEvent: Sendable {
  /// The certificate of the server in DER form, for `Replicator.serverCertificate`.
  case serverCertificate(Data)
  /// The header `X-Correlation-Id` of the server's response.
  case correlationID(String)
}

/// Credentials for a server.
public protocol Authenticator: Sendable {}

/// A user name and a password, sent as HTTP Basic authentication. Use it only with TLS.
public struct BasicAuthenticator: Authenticator {
  /// The user name.
  public let username: String
  /// The password.
  public let password: String

  /// Creates the credentials.
  public init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}

/// A session of Sync Gateway, sent as a cookie.
public struct SessionAuthenticator: Authenticator {
  /// The default name of the cookie.
  public static let defaultCookieName = "SyncGatewaySession"
  /// The session id, the value of the cookie.
  public let sessionID: String
  /// The name of the cookie.
  public let cookieName: String

  /// Creates the credentials.
  public init(sessionID: String, cookieName: String = SessionAuthenticator.defaultCookieName) {
    self.sessionID = sessionID
    self.cookieName = cookieName
  }
}
