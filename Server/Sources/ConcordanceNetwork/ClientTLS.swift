public import Concordance
import Foundation
import NIOCore
import NIOSSL
import NIOPosix
import Replication

/// The TLS settings of a client.
struct ClientTLS: Sendable {
  private let context: NIOSSLContext
  private let serverName: String?
  /// Returns the reason for which a chain is refused; nil if it is accepted. It also checks the host, if necessary.
  private let refusal: (@Sendable ([[UInt8]]) -> CertificateCheck.Refusal?)?

  /// Prepares the settings. Reads the system's root certificates, so it must not be called on an event loop.
  ///
  /// - Throws: ``ReplicationTransportError`` if a certificate is malformed.
  init(_ options: EndpointConnectionOptions, host: String) throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    // RFC 8996 deprecates earlier versions.
    configuration.minimumTLSVersion = .tlsv12
    if let authenticator = options.authenticator as? ClientCertificateAuthenticator {
      configuration.certificateChain = authenticator.identity.pem.chain.map { .certificate($0) }
      configuration.privateKey = .privateKey(authenticator.identity.pem.privateKey)
    }
    do {
      if let pinned = options.pinnedServerCertificate {
        // PEM data can contain a chain; it is enough that one of its certificates is trusted.
        let certificates = try? CertificateCheck.certificates(pinned).map { try $0.toDERBytes() }
        guard let pins = certificates, !pins.isEmpty else {
          throw NetworkError.untrusted("the pinned certificate is malformed; it must be in PEM or DER form")
        }
        refusal = { chain in CertificateCheck.refusal(of: chain, pinned: pins, host: host) }
      } else if options.acceptOnlySelfSignedServerCertificate {
        // Anyone can create a self-signed certificate with any name, so the name is not checked.
        refusal = { chain in
          chain.count == 1 && chain.allSatisfy { CertificateCheck.isSelfSigned($0) } ? nil : .unexpected
        }
      } else {
        refusal = nil
      }
      // NIOSSL would check the host even if the certificate itself is pinned.
      if refusal != nil { configuration.certificateVerification = .noHostnameVerification }
      context = try NIOSSLContext(configuration: configuration)
    } catch let error as ReplicationTransportError {
      throw error
    } catch {
      throw NetworkError.untrusted("the certificate or the private key of the client cannot be used")
    }
    // A TLS server name (SNI) is never an IP address.
    serverName = IPAddress.isValid(host) ? nil : host
  }

  /// Creates the TLS handler for a connection.
  ///
  /// - Parameter onRefusal: called if the server's certificate is refused.
  func makeHandler(
    onRefusal: @escaping @Sendable (CertificateCheck.Refusal) -> Void
  ) throws -> NIOSSLClientHandler {
    guard let refusal else { return try NIOSSLClientHandler(context: context, serverHostname: serverName) }
    return try NIOSSLClientHandler(
      context: context, serverHostname: serverName,
      customVerificationCallback: { certificates, promise in
        // A certificate that cannot be encoded is not trusted.
        let chain = (try? certificates.map { try $0.toDERBytes() }) ?? []
        let reason = refusal(chain)
        if let reason { onRefusal(reason) }
        promise.succeed(reason == nil ? .certificateVerified : .failed)
      })
  }
}

/// The identity with which a client authenticates in the TLS handshake.
public struct ClientCertificateAuthenticator: Authenticator {
  /// The certificate and its private key.
  public let identity: TLSIdentity

  /// Creates the credentials.
  public init(identity: TLSIdentity) { self.identity = identity }
}

/// IP addresses in text form.
enum IPAddress {
  /// Returns whether text is an IPv4 or IPv6 address.
  static func isValid(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }
}
