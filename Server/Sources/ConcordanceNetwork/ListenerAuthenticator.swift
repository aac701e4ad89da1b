public import Foundation
import NIOSSL

/// Decides which clients may connect to a ``URLEndpointListener``: ``ListenerPasswordAuthenticator`` or
/// ``ListenerCertificateAuthenticator``.
public protocol ListenerAuthenticator: Sendable {}

/// Checks user names and passwords, which clients send as HTTP Basic authentication. Use it only with TLS.
///
/// ```swift
/// config.authenticator = ListenerPasswordAuthenticator { user, password in passwords[user] == password }
/// ```
public struct ListenerPasswordAuthenticator: ListenerAuthenticator {
  let check: @Sendable (String, String) -> Bool

  /// Creates an authenticator.
  ///
  /// - Parameter authenticator: returns whether the user name and the password are correct. It is called on a thread
  ///   where it may block, possibly several times concurrently.
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

  /// Accepts certificates that one of the given certificates has issued.
  ///
  /// - Parameter rootCerts: certificates in PEM or DER form.
  public init(rootCerts: [Data]) { rule = .roots(rootCerts) }

  /// Accepts certificates for which a closure returns true.
  ///
  /// - Parameter authenticator: receives the certificates of the client in DER form, its own first. The signatures of
  ///   the issuers have not been verified. It is called on a thread where it may block.
  public init(authenticator: @escaping @Sendable (_ certs: [Data]) -> Bool) { rule = .check(authenticator) }

  /// Returns the rule in the form that the TLS handshake uses.
  ///
  /// - Throws: errors of certificates that cannot be parsed.
  func makeCheck() throws -> @Sendable ([[UInt8]]) -> Bool {
    switch rule {
    case .check(let check): return { chain in check(chain.map { Data($0) }) }
    case .roots(let roots):
      let trusted = try roots.flatMap { try CertificateCheck.certificates($0) }.map { try $0.toDERBytes() }
      return { chain in trusted.contains { CertificateCheck.isTrusted(chain, $0) } }
    }
  }
}
