import CX509
import Foundation
import NIOSSL

/// Checks for certificates in DER form.
enum CertificateCheck {
  /// Returns whether the certificate is signed with its own key.
  static func isSelfSigned(_ certificate: [UInt8]) -> Bool {
    concordance_isSelfSigned(certificate, certificate.count) == 1
  }

  /// Returns whether the subject of the certificate has this common name.
  static func hasCommonName(_ certificate: [UInt8], _ name: String) -> Bool {
    concordance_hasCommonName(certificate, certificate.count, name) == 1
  }

  /// Returns whether the certificate is valid for a host name or IP address.
  static func isValid(_ certificate: [UInt8], for host: String) -> Bool {
    concordance_isValidForHost(certificate, certificate.count, host) == 1
  }

  /// Returns whether a chain (leaf first) contains a trusted certificate or was issued by it. The signatures in the
  /// chain are verified unless the leaf itself is the trusted certificate.
  static func isTrusted(_ chain: [[UInt8]], _ trusted: [UInt8]) -> Bool {
    guard let leaf = chain.first else { return false }
    if leaf == trusted { return true }
    return concordance_isIssuedBy(
      Array(chain.joined()), chain.map(\.count), CInt(clamping: chain.count), trusted, trusted.count) == 1
  }

  /// The reason for which a client refuses a server's certificate.
  enum Refusal: Sendable, Equatable {
    case unexpected
    case otherHost
  }

  /// Checks a server's chain (leaf first) against pinned certificates.
  ///
  /// A server with a pinned certificate is identified by its key, whatever its name is. A pinned issuer may have issued
  /// certificates to several servers, so the certificate must be valid for the host.
  ///
  /// - Returns: nil if the chain is accepted.
  static func refusal(of chain: [[UInt8]], pinned: [[UInt8]], host: String) -> Refusal? {
    guard let leaf = chain.first else { return .unexpected }
    if pinned.contains(leaf) { return nil }
    guard pinned.contains(where: { isTrusted(chain, $0) }) else { return .unexpected }
    return isValid(leaf, for: host) ? nil : .otherHost
  }

  /// Parses PEM data, which can contain several certificates, or one certificate in DER form.
  static func certificates(_ data: Data) throws -> [NIOSSLCertificate] {
    if data.starts(with: Data("-----".utf8)) { return try NIOSSLCertificate.fromPEMBytes([UInt8](data)) }
    return [try NIOSSLCertificate(bytes: [UInt8](data), format: .der)]
  }
}
