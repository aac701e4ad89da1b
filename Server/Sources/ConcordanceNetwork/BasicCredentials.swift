import Foundation

/// The user name and password of HTTP Basic authentication (RFC 7617).
package struct BasicCredentials: Equatable {
  let user: String
  let password: String

  /// The value of `WWW-Authenticate` that asks for them.
  package static let challenge = "Basic realm=\"Concordance\", charset=\"UTF-8\""

  /// Decodes the credentials of a header. Returns nil if the scheme is another one, or they are malformed.
  init?(_ header: AuthorizationHeader?) {
    guard let header, header.scheme == "basic",
      let data = Data(base64Encoded: header.credentials.trimmingCharacters(in: .whitespaces)),
      let text = String(data: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
    else { return nil }
    user = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }
}
