import Foundation
import NIOSSL

extension TLSFiles {
  /// Returns the server's TLS configuration.
  ///
  /// - Throws: ``ServerOptionsError`` if a file cannot be read, or does not contain a certificate or the certificate's
  ///   key.
  func configuration() throws -> TLSConfiguration {
    let chain = try TLSFiles.bytes(certificate)
    let keyBytes = try TLSFiles.bytes(key)
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(chain), !certificates.isEmpty else {
      throw ServerOptionsError(.invalidCertificate(path: certificate))
    }
    guard let privateKey = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
      throw ServerOptionsError(.invalidKey(path: key))
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    // RFC 8996 deprecates earlier versions, and HTTP/2 requires at least this one.
    configuration.minimumTLSVersion = .tlsv12
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      // No other cause is possible, because the other settings are constant.
      throw ServerOptionsError(.keyMismatch(key: key, certificate: certificate))
    }
    return configuration
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    guard access(path, R_OK) == 0 else {
      throw ServerOptionsError(.unreadableFile(path: path, reason: String(cString: strerror(errno))))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerOptionsError(.unreadableFile(path: path, reason: "the file cannot be read"))
    }
    return [UInt8](data)
  }
}
