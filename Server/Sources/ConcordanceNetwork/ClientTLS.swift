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
  private let check: (@Sendable ([[UInt8]]) -> Bool)?

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
        check = { chain in pins.contains { CertificateCheck.isTrusted(chain, $0) } }
      } else if options.acceptOnlySelfSignedServerCertificate {
        check = { chain in chain.count == 1 && chain.allSatisfy { CertificateCheck.isSelfSigned($0) } }
      } else {
        check = nil
      }
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
  /// - Parameter onUntrusted: called if the server's certificate is rejected.
  func makeHandler(onUntrusted: @escaping @Sendable () -> Void) throws -> NIOSSLClientHandler {
    guard let check else { return try NIOSSLClientHandler(context: context, serverHostname: serverName) }
    return try NIOSSLClientHandler(
      context: context, serverHostname: serverName,
      customVerificationCallback: { certificates, promise in
        // A certificate that cannot be encoded is not trusted.
        let chain = (try? certificates.map { try $0.toDERBytes() }) ?? []
        let isTrusted = check(chain)
        if !isTrusted { onUntrusted() }
        promise.succeed(isTrusted ? .certificateVerified : .failed)
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
