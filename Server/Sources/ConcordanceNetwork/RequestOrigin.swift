/// The origin of a request, as reported by the browser, and the host that the request is addressed to.
///
/// Any page in the user's browser can reach a server on a loopback address. Without a check of the origin, the page
/// could open WebSockets and make changes; without a check of the host, a page whose host name resolves to a loopback
/// address could also read all responses.
package struct RequestOrigin: Sendable {
  /// The reason why a request is refused.
  package enum Refusal: Error, Hashable, Sendable {
    /// A page of another origin sent the request; nil if the browser does not name the origin.
    case otherOrigin(String?)
    /// The request to a loopback address names a host that is not one.
    case foreignHost(String)
  }

  private let origin: String?
  private let site: String?
  private let authority: String

  /// - Parameters:
  ///   - origin: the `Origin` header.
  ///   - site: the relationship between the page and the server: the `Sec-Fetch-Site` header.
  ///   - authority: the `Host` header.
  package init(origin: String?, site: String? = nil, authority: String?) {
    self.origin = origin
    self.site = site
    self.authority = authority?.lowercased() ?? ""
  }

  /// Checks that no page of another origin sent the request.
  ///
  /// - Parameter origins: the other origins that are permitted; `*` permits all.
  /// - Throws: ``Refusal/otherOrigin(_:)``.
  package func checkOrigin(allowing origins: [String] = []) throws {
    guard !origins.contains("*") else { return }
    if let origin, origin != "http://\(authority)", origin != "https://\(authority)", !origins.contains(origin) {
      throw Refusal.otherOrigin(origin)
    }
    // Browsers send no `Origin` header with requests for images and scripts.
    if origin == nil, let site, ["cross-site", "same-site"].contains(site) { throw Refusal.otherOrigin(nil) }
  }

  /// Checks that a request to a server on a loopback address names such an address or no host.
  ///
  /// - Throws: ``Refusal/foreignHost(_:)``.
  package func checkLoopbackHost() throws {
    guard authority.isEmpty || RequestOrigin.isLoopback(RequestOrigin.host(authority)) else {
      throw Refusal.foreignHost(authority)
    }
  }

  /// Returns whether a host name is reachable only from this machine.
  package static func isLoopback(_ name: String) -> Bool {
    let host = name.lowercased()
    return host == "localhost" || host == "::1"
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }

  /// Returns an origin in the form that browsers send: a scheme and a host in lowercase letters, without the default
  /// port of the scheme. Returns nil if the text is neither `*` nor an origin that a browser can send.
  package static func normalized(_ text: String) -> String? {
    if text == "*" { return text }
    let origin = text.lowercased()
    guard let separator = origin.firstRange(of: "://") else { return nil }
    let (scheme, authority) = (origin[..<separator.lowerBound], origin[separator.upperBound...])
    guard !scheme.isEmpty, scheme.utf8.allSatisfy(isSchemeByte), !authority.isEmpty,
      authority.utf8.allSatisfy(isAuthorityByte), !authority.hasSuffix(":")
    else { return nil }
    guard let port = ["http": ":80", "https": ":443"][String(scheme)], authority.hasSuffix(port) else { return origin }
    let host = authority.dropLast(port.count)
    return host.isEmpty ? nil : "\(scheme)://\(host)"
  }

  /// Returns whether a byte can be part of a scheme (RFC 3986, section 3.1) in lowercase letters.
  private static func isSchemeByte(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "+-.".utf8.contains(byte) }

  /// Returns whether a byte can be part of a host and a port as browsers send them. They encode other characters.
  private static func isAuthorityByte(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-._:[]".utf8.contains(byte) }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the host of `host:port`, without the brackets of an IPv6 address.
  private static func host(_ authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }
}
