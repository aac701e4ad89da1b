import Concordance
import Foundation
import NIOHTTP1
import NIOWebSocket

/// The HTTP request that opens a WebSocket.
enum UpgradeRequestHead {
  /// The handshake headers, which the `headers` of the configuration cannot override.
  private static let reserved: Set = [
    "host", "connection", "upgrade", "sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol",
    "sec-websocket-extensions", "sec-websocket-accept", "content-length", "transfer-encoding",
  ]

  /// - Throws: ``CBLError/invalidParameter`` if a header or the credentials cannot be sent.
  static func make(_ address: ServerAddress, _ options: EndpointConnectionOptions) throws -> HTTPRequestHead {
    var headers = HTTPHeaders()
    headers.add(name: "Host", value: address.authority)
    headers.add(name: "User-Agent", value: "Concordance")
    headers.add(name: "Sec-WebSocket-Protocol", value: options.protocols.joined(separator: ","))
    for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
      guard !reserved.contains(name.lowercased()) else { continue }
      guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte), value.utf8.allSatisfy(isValueByte) else {
        throw CBLError(
          code: CBLError.invalidParameter,
          message: "the header \"\(name)\" contains characters that are not permitted in HTTP headers")
      }
      headers.replaceOrAdd(name: name, value: value)
    }
    switch options.authenticator {
    case let basic as BasicAuthenticator:
      guard !basic.username.contains(":") else {
        throw CBLError(
          code: CBLError.invalidParameter, message: "the user name \"\(basic.username)\" must not contain a colon")
      }
      let credentials = Data("\(basic.username):\(basic.password)".utf8).base64EncodedString()
      headers.replaceOrAdd(name: "Authorization", value: "Basic \(credentials)")
    case let session as SessionAuthenticator:
      let cookie = "\(session.cookieName)=\(session.sessionID)"
      guard !session.cookieName.isEmpty, session.cookieName.utf8.allSatisfy(isTokenByte),
        session.sessionID.utf8.allSatisfy({ isValueByte($0) && $0 != UInt8(ascii: ";") })
      else {
        throw CBLError(
          code: CBLError.invalidParameter, message: "the session contains characters that are not permitted in a cookie"
        )
      }
      headers.replaceOrAdd(
        name: "Cookie", value: headers.first(name: "Cookie").map { "\($0); \(cookie)" } ?? cookie)
    default: break
    }
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: address.requestTarget, headers: headers)
  }

  /// Returns whether a byte is allowed in a header name (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Returns whether a byte is allowed in a header value.
  private static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
}
