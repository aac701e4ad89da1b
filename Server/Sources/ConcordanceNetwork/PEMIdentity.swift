package import Foundation
package import NIOSSL

/// A certificate chain and its private key, read from PEM.
package struct PEMIdentity: Sendable {
  /// The part that cannot be used.
  package enum Fault: Error {
    /// There is no certificate, or it is malformed.
    case certificates
    /// There is no private key, or it is malformed, or its password is wrong.
    case key
    /// The key does not belong to the first certificate.
    case mismatch
  }

  /// The certificate, followed by those of its issuers.
  let chain: [NIOSSLCertificate]
  /// The first certificate of the chain.
  let leaf: NIOSSLCertificate
  let privateKey: NIOSSLPrivateKey

  /// Parses the certificates and the key, and checks that they belong together.
  ///
  /// - Parameter password: the password of an encrypted private key.
  package init(certificates: Data, key: Data, password: String? = nil) throws(Fault) {
    guard let chain = try? NIOSSLCertificate.fromPEMBytes([UInt8](certificates)), let leaf = chain.first else {
      throw Fault.certificates
    }
    let pemKey = try? NIOSSLPrivateKey(bytes: [UInt8](key), format: .pem) { setter in
      setter(Array((password ?? "").utf8))
    }
    guard let privateKey = pemKey else { throw Fault.key }
    (self.chain, self.leaf, self.privateKey) = (chain, leaf, privateKey)
    // No other cause is possible, because the other settings are constant.
    guard (try? NIOSSLContext(configuration: serverConfiguration)) != nil else { throw Fault.mismatch }
  }

  /// The configuration of a TLS server with this identity.
  package var serverConfiguration: TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    // RFC 8996 deprecates earlier versions, and HTTP/2 requires at least this one.
    configuration.minimumTLSVersion = .tlsv12
    return configuration
  }
}
