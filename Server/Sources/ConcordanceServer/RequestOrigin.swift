import HTTPTypes

/// Where a request comes from, according to a browser.
///
/// A server without tokens on a loopback address can be reached by every page that the user's browser shows. The page
/// could send changes without reading the answers, or, if its host name resolves to a loopback address, read everything.
struct RequestOrigin {
  let origin: String?
  let authority: String?

  /// Throws a 403 problem if a page of another origin sent the request. Servers with tokens need no such check, because
  /// the page does not have a token.
  func check(_ options: ServerOptions) throws {
    guard options.tokens == nil else { return }
    let authority = authority ?? ""
    if let origin, origin != "http://\(authority)", origin != "https://\(authority)",
      !options.allowedOrigins.contains(origin), !options.allowedOrigins.contains("*")
    {
      throw Problem(.forbidden, "cross_origin", "pages of \(origin) are not permitted to use this server")
    }
    if options.isLoopback, !options.isInsecure, !authority.isEmpty,
      !ServerOptions.isLoopback(RequestOrigin.host(authority))
    {
      throw Problem(
        .forbidden, "foreign_host",
        "a server without tokens answers only requests to a loopback address, not \(authority)")
    }
  }

  /// The host of `host:port`, without the brackets of an IPv6 address.
  private static func host(_ authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }
}
