/// The value of an `Authorization` header (RFC 9110): a scheme and credentials.
package struct AuthorizationHeader {
  /// The scheme in lowercase letters, such as `basic`.
  let scheme: String
  let credentials: String

  /// Parses a value. Returns nil if it is missing or has only one part.
  package init?(_ value: String?) {
    let parts = (value ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    // Several spaces may precede the credentials.
    let rest = parts[1].drop { $0 == " " }
    guard !rest.isEmpty else { return nil }
    (scheme, credentials) = (parts[0].lowercased(), String(rest))
  }

  /// The token of `Bearer TOKEN`; nil if the scheme is another one.
  package var bearerToken: String? { scheme == "bearer" ? credentials : nil }
}
