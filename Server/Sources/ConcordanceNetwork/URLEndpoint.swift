public import Concordance
public import Foundation

/// A database on a server that a ``Concordance/Replicator`` connects to over a WebSocket.
///
/// ```swift
/// let endpoint = URLEndpoint(url: URL(string: "wss://example.org:4984/travel")!)
/// var config = ReplicatorConfiguration(collections: …, target: endpoint)
/// config.authenticator = BasicAuthenticator(username: "ann", password: "…")
/// ```
///
/// The scheme is `wss` (TLS) or `ws`; `blips` and `blip`, the schemes of early Couchbase Lite versions, are also
/// accepted. The path identifies the database. User names and passwords in the URL are rejected because URLs appear
/// in logs.
public struct URLEndpoint: Endpoint {
  /// The URL of the database.
  public let url: URL

  /// Creates an endpoint. ``makeConnector()`` validates the URL.
  public init(url: URL) { self.url = url }

  /// Returns an object that connects to the server.
  ///
  /// - Throws: ``Concordance/CBLError/invalidParameter`` if the scheme is unknown, if the host or the path of the
  ///   database is missing, or if the URL contains a user name, a query, a fragment or an invalid port.
  public func makeConnector() throws -> any EndpointConnector { try URLConnector(ServerAddress(url)) }
}

/// The parts of a database URL.
struct ServerAddress: Hashable, Sendable {
  let isSecure: Bool
  let host: String
  let port: Int
  /// The percent-encoded path of the database, without a trailing slash.
  let path: String

  init(_ url: URL) throws {
    func invalid(_ reason: String) -> CBLError {
      CBLError(
        code: CBLError.invalidParameter,
        message: "the URL \(url.absoluteString) \(reason); use a URL such as wss://example.org:4984/db")
    }
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw invalid("is malformed") }
    guard parts.user == nil, parts.password == nil else {
      throw CBLError(
        code: CBLError.invalidParameter,
        message: "the URL contains a user name; pass the credentials as an authenticator instead")
    }
    switch parts.scheme?.lowercased() {
    case "ws", "blip": isSecure = false
    case "wss", "blips": isSecure = true
    default: throw invalid("does not begin with ws:// or wss://")
    }
    guard let host = parts.host, !host.isEmpty else { throw invalid("has no host") }
    // An IPv6 address in a URL is enclosed in brackets.
    self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    port = parts.port ?? (isSecure ? 443 : 80)
    guard (1...65535).contains(port) else { throw invalid("has an invalid port") }
    guard parts.query == nil, parts.fragment == nil else { throw invalid("has a query or fragment") }
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    guard !path.isEmpty else { throw invalid("has no path, which is the name of the database") }
    self.path = path
  }

  /// The request target of the HTTP upgrade request.
  var requestTarget: String { path + "/_blipsync" }

  /// The URL in its canonical form.
  var text: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

  /// The host and the port, as in the `Host` header.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }
}
