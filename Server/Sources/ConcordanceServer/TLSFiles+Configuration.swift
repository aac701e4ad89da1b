import ConcordanceNetwork
import Foundation
import NIOSSL

extension TLSFiles {
  /// Returns the server's TLS configuration.
  ///
  /// - Throws: ``ServerOptionsError`` if a file cannot be read, or does not contain a certificate or the certificate's
  ///   key.
  func configuration() throws -> TLSConfiguration { try identity().serverConfiguration }

  private func identity() throws -> PEMIdentity {
    let (chain, keyText) = (try TLSFiles.content(of: certificate), try TLSFiles.content(of: key))
    do throws(PEMIdentity.Fault) {
      return try PEMIdentity(certificates: chain, key: keyText)
    } catch {
      switch error {
      case .certificates: throw ServerOptionsError(.invalidCertificate(path: certificate))
      case .key: throw ServerOptionsError(.invalidKey(path: key))
      case .mismatch: throw ServerOptionsError(.keyMismatch(key: key, certificate: certificate))
      }
    }
  }

  private static func content(of path: String) throws -> Data {
    guard access(path, R_OK) == 0 else {
      throw ServerOptionsError(.unreadableFile(path: path, reason: String(cString: strerror(errno))))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerOptionsError(.unreadableFile(path: path, reason: "the file cannot be read"))
    }
    return data
  }
}
