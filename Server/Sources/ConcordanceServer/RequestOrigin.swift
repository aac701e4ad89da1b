import ConcordanceNetwork
import HTTPTypes
import Hummingbird

extension HTTPField.Name {
  /// The header in which browsers report the relationship between a page and the server.
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")
  static let hostLine = HTTPField.Name("Host")
}

extension RequestOrigin {
  /// Throws a 403 problem if a page from another origin sent the request. Servers with tokens do not need this check
  /// because the page does not have a token.
  ///
  /// - Parameter acceptsPasswords: whether a token can also be sent as a password, which browsers save and send for any
  ///   page.
  func check(_ options: ServerOptions, acceptsPasswords: Bool = false) throws {
    guard options.tokens == nil || acceptsPasswords else { return }
    do {
      try checkOrigin(allowing: options.allowedOrigins)
      if options.tokens == nil, options.isLoopback, !options.isInsecure { try checkLoopbackHost() }
    } catch let refusal as Refusal {
      throw refusal.problem
    }
  }

  /// Throws a 400 problem if a request names several hosts or, with HTTP/1.1, none (RFC 9112, section 3.2; RFC 9113,
  /// section 8.3.1). Proxies and this server could otherwise use different ones.
  ///
  /// - Parameter isStream: whether the request uses HTTP/2, in which the host may also be in a `Host` line.
  static func checkHost(_ request: Request, isStream: Bool) throws {
    // ``FramingHandler`` adds an empty host to requests of HTTP/1.0, which need none.
    guard isStream || request.head.authority != nil else {
      throw Problem(.badRequest, "missing_host", "the request has no Host line; HTTP/1.1 requires one")
    }
    // The first line is the authority, and only further lines are headers.
    guard let name = HTTPField.Name.hostLine, case let hosts = request.headers[values: name], !hosts.isEmpty else {
      return
    }
    guard isStream, hosts == [request.head.authority ?? ""] else {
      throw Problem(.badRequest, "several_hosts", "the request has several Host lines; send one")
    }
  }
}

extension RequestOrigin.Refusal {
  fileprivate var problem: Problem {
    switch self {
    case .otherOrigin(let origin):
      Problem(
        .forbidden, "cross_origin",
        "pages from \(origin ?? "other origins") are not permitted to use this server")
    case .foreignHost(let host):
      Problem(
        .forbidden, "foreign_host",
        "a server without tokens answers only requests to a loopback address, not \(host)")
    }
  }
}
