import HTTPTypes
import Hummingbird

extension HTTPField.Name {
  /// The header in which browsers report the relationship between a page and the server.
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")
  static let hostLine = HTTPField.Name("Host")
}

/// The origin of a request, as reported by the browser, and the host that the request is addressed to.
///
/// Any page in the user's browser can reach a server without tokens on a loopback address. The page could make changes
/// without being able to read the responses or, if its host name resolves to a loopback address, read everything.
struct RequestOrigin {
  let origin: String?
  /// The relationship between the page and the server: the `Sec-Fetch-Site` header.
  var site: String?
  let authority: String?

  /// Throws a 403 problem if a page from another origin sent the request. Servers with tokens do not need this check
  /// because the page does not have a token.
  ///
  /// - Parameter acceptsPasswords: Whether a token can also be sent as a password, which browsers save and send for any
  ///   page.
  func check(_ options: ServerOptions, acceptsPasswords: Bool = false) throws {
    guard options.tokens == nil || acceptsPasswords else { return }
    let authority = authority?.lowercased() ?? ""
    if let origin, origin != "http://\(authority)", origin != "https://\(authority)",
      !options.allowedOrigins.contains(origin), !options.allowedOrigins.contains("*")
    {
      throw Problem(.forbidden, "cross_origin", "pages from \(origin) are not permitted to use this server")
    }
    // Browsers send no `Origin` header with requests for images and scripts.
    if origin == nil, let site, ["cross-site", "same-site"].contains(site), !options.allowedOrigins.contains("*") {
      throw Problem(.forbidden, "cross_origin", "pages from other origins are not permitted to use this server")
    }
    if options.tokens == nil, options.isLoopback, !options.isInsecure, !authority.isEmpty,
      !ServerOptions.isLoopback(RequestOrigin.host(authority))
    {
      throw Problem(
        .forbidden, "foreign_host",
        "a server without tokens answers only requests to a loopback address, not \(authority)")
    }
  }

  /// Throws a 400 problem if a request names several hosts (RFC 9112, section 3.2; RFC 9113, section 8.3.1). Proxies and
  /// this server could otherwise use different ones.
  ///
  /// - Parameter isStream: whether the request uses HTTP/2, in which the host may also be in a `Host` line.
  static func checkHost(_ request: Request, isStream: Bool) throws {
    // The first line is the authority, and only further lines are headers.
    guard let name = HTTPField.Name.hostLine, case let hosts = request.headers[values: name], !hosts.isEmpty else {
      return
    }
    guard isStream, hosts == [request.head.authority ?? ""] else {
      throw Problem(.badRequest, "several_hosts", "the request has several Host lines; send one")
    }
  }

  /// Returns whether text is `*` or an origin in the form that browsers send: a scheme and a host, without a path.
  static func isOrigin(_ text: String) -> Bool {
    if text == "*" { return true }
    guard let scheme = text.firstRange(of: "://"), !text[..<scheme.lowerBound].isEmpty else { return false }
    let host = text[scheme.upperBound...]
    return !host.isEmpty && !host.contains { $0 == "/" || $0 == "*" || $0.isWhitespace }
  }

  /// Returns the host of `host:port`, without the brackets of an IPv6 address.
  private static func host(_ authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }
}
