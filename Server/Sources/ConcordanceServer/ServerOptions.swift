import ConcordanceNetwork

/// The options of a ``ConcordanceServer``.
///
/// ```swift
/// var options = ServerOptions()
/// options.port = 8000
/// options.limits.queryTimeout = .seconds(5)
/// ```
public struct ServerOptions: Sendable {
  /// The address to listen on. Addresses other than loopback require ``tokens``, unless ``isInsecure`` is true.
  public var host = "127.0.0.1"
  /// The port; 0 lets the system choose one.
  public var port = 7700
  /// The tokens that clients send as `Authorization: Bearer TOKEN`; nil if no token is required.
  public var tokens: AccessTokens?
  /// Whether the server may listen on addresses other than loopback without tokens.
  public var isInsecure = false
  /// Whether requests that change a database are rejected.
  public var isReadOnly = false
  /// The certificate and the private key for HTTPS; nil for HTTP.
  public var tls: TLSFiles?
  /// The origins of web pages that may use the server (CORS), such as `https://example.org`; none by default. `*` permits
  /// all pages; it requires ``tokens`` or ``isReadOnly``, unless ``isInsecure`` is true.
  public var allowedOrigins: [String] = []
  /// The file that receives a line for each request; nil for none.
  public var accessLog: AccessLog?
  /// The limits on requests and connections.
  public var limits = ServerLimits()

  /// Creates the default options: HTTP on the loopback address, without tokens.
  public init() {}

  /// Returns the scope of a token; nil if the token is missing or unknown. Without ``tokens``, everything is permitted.
  func scope(of token: String?) -> AccessScope? {
    guard let tokens else { return .admin }
    return token.flatMap { tokens.scope(of: $0) }
  }

  /// Whether ``host`` is reachable only from this machine.
  var isLoopback: Bool { RequestOrigin.isLoopback(host) }
}

/// The files of a TLS certificate and its private key.
public struct TLSFiles: Hashable, Sendable {
  /// The path of the certificate chain, in PEM format.
  public var certificate: String
  /// The path of the private key, in PEM format.
  public var key: String

  /// Creates a value with the given paths.
  ///
  /// - Parameters:
  ///   - certificate: the path of the certificate chain, in PEM format.
  ///   - key: the path of the private key, in PEM format.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// The limits of a ``ConcordanceServer``. A request that exceeds a limit fails with an error that names the limit.
public struct ServerLimits: Sendable {
  /// The maximum size of a request body in bytes.
  public var bodySize = 16 << 20
  /// The maximum number of hits, suggestions or terms in a response.
  public var resultCount = 1000
  /// The time limit of a search or query, and the time after which a client that does not read is disconnected.
  public var queryTimeout: Duration = .seconds(10)
  /// The interval between comments in an event stream. The server sends them to detect lost connections.
  public var heartbeat: Duration = .seconds(15)
  /// The maximum number of open connections. Further connections wait. Also the maximum number of event streams, of
  /// which an HTTP/2 connection can have several; further ones get status 503.
  public var maximumConnectionCount = 1024
  /// The maximum number of running and waiting requests. Further requests get status 503.
  public var maximumQueueLength = 256

  /// Creates the default limits.
  public init() {}
}
