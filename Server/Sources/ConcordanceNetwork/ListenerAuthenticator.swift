public import Foundation
import NIOSSL

/// Decides which clients may connect to a ``URLEndpointListener``: a ``ListenerPasswordAuthenticator`` or a
/// ``ListenerCertificateAuthenticator``.
public protocol ListenerAuthenticator: Sendable {}

/// Checks the user names and passwords that clients send with HTTP Basic authentication. Use it only with TLS.
///
/// ```swift
/// config.authenticator = ListenerPasswordAuthenticator { user, password in passwords[user] == password }
/// ```
public struct ListenerPasswordAuthenticator: ListenerAuthenticator {
  let check: @Sendable (String, String) -> Bool

  /// Creates an authenticator.
  ///
  /// - Parameter authenticator: returns whether the user name and the password are correct. It may block, and it may
  ///   be called on several threads concurrently.
  public init(authenticator: @escaping @Sendable (_ username: String, _ password: String) -> Bool) {
    check = authenticator
  }
}

/// Checks the certificates that clients send in the TLS handshake. Clients without a certificate are refused.
public struct ListenerCertificateAuthenticator: ListenerAuthenticator {
  enum Rule: Sendable {
    case roots([Data])
    case check(@Sendable ([Data]) -> Bool)
  }

  let rule: Rule

  /// Accepts certificates that were issued by one of the given certificates.
  ///
  /// - Parameter rootCerts: certificates in PEM or DER form.
  public init(rootCerts: [Data]) { rule = .roots(rootCerts) }

  /// Accepts certificates for which a closure returns true.
  ///
  /// - Parameter authenticator: receives the client's certificate chain in DER form, its own certificate first. The
  ///   issuers' signatures have not been verified. The closure may block.
  public init(authenticator: @escaping @Sendable (_ certs: [Data]) -> Bool) { rule = .check(authenticator) }

  /// Returns the rule in the form that the TLS handshake uses.
  ///
  /// - Throws: an error if a certificate cannot be parsed.
  func makeCheck() throws -> @Sendable ([[UInt8]]) -> Bool {
    switch rule {
    case .check(let check): return { chain in check(chain.map { Data($0) }) }
    case .roots(let roots):
      let trusted = try roots.flatMap { try CertificateCheck.certificates($0) }.map { try $0.toDERBytes() }
      return { chain in trusted.contains { CertificateCheck.isTrusted(chain, $0) } }
    }
  }
}
