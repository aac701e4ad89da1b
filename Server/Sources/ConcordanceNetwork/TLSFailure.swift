import Foundation
import NIOSSL
import Replication

/// The reason for which a TLS handshake failed.
///
/// BoringSSL names it in the text of an error, after the name of a function: `error:1000007d:SSL
/// routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`. SwiftNIO does not make the error's number public.
struct TLSFailure {
  /// BoringSSL's name of the reason, such as `WRONG_VERSION_NUMBER`; nil if the peer closed the connection.
  let reason: String?

  init(_ error: BoringSSLError) {
    guard case .sslError(let stack) = error, stack != [.eofDuringHandshake] else {
      // A system error without details means that the peer closed the connection.
      reason = nil
      return
    }
    let text = stack.map(\.description).first { $0.contains("OPENSSL_internal:") } ?? ""
    let name = text.components(separatedBy: "OPENSSL_internal:").last ?? ""
    reason = String(name.prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
  }

  /// Returns the error for the replicator, with a message that says what to do.
  ///
  /// - Parameter peer: the address or URL that the message names.
  func transportError(_ peer: String) -> ReplicationTransportError {
    let (code, text) =
      switch reason {
      case nil: (5006, "the server closed the connection during the TLS handshake; does it use TLS?")
      case "CERTIFICATE_VERIFY_FAILED"?: (5008, "the server's certificate is not trusted")
      case "WRONG_VERSION_NUMBER"?, "HTTP_REQUEST"?, "HTTPS_PROXY_REQUEST"?, "PACKET_LENGTH_TOO_LONG"?:
        (5006, "the server does not speak TLS; use ws:// in the URL if the connection need not be encrypted")
      case "TLSV1_ALERT_CERTIFICATE_REQUIRED"?, "PEER_DID_NOT_RETURN_A_CERTIFICATE"?:
        (5009, "the server requires a client certificate")
      case let reason? where TLSFailure.rejections.contains(reason):
        (5010, "the server rejected the client's certificate (\(reason))")
      case let reason?: (5006, "the TLS handshake failed" + (reason.isEmpty ? "" : " (\(reason))"))
      }
    return ReplicationTransportError(code: code, message: "\(peer): \(text)")
  }

  /// The alerts of RFC 8446, section 6.2, by which a server rejects a certificate.
  private static let rejections: Set<String> = [
    "SSLV3_ALERT_BAD_CERTIFICATE", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", "SSLV3_ALERT_CERTIFICATE_REVOKED",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED", "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "TLSV1_ALERT_UNKNOWN_CA",
    "TLSV1_ALERT_ACCESS_DENIED",
  ]
}
