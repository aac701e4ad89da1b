import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Replication

/// Converts network errors to Couchbase Lite's error codes, which start at 5000 (`c4Error.h`, `C4NetworkErrorCode`).
enum NetworkError {
  static func unknownHost(_ message: String) -> ReplicationTransportError { .init(code: 5002, message: message) }
  static func timeout(_ message: String) -> ReplicationTransportError { .init(code: 5003, message: message) }
  static func untrusted(_ message: String) -> ReplicationTransportError { .init(code: 5008, message: message) }

  /// Returns the error for a certificate of a server that was refused.
  static func refusedCertificate(_ refusal: CertificateCheck.Refusal, _ peer: String) -> ReplicationTransportError {
    switch refusal {
    case .unexpected: untrusted("\(peer): the server's certificate is not the expected one")
    case .otherHost:
      ReplicationTransportError(code: 5015, message: "\(peer): the server's certificate is for another host")
    }
  }

  /// Returns the error for a rejected handshake.
  static func rejected(_ status: HTTPResponseStatus, _ peer: String) -> ReplicationTransportError {
    let advice =
      switch status.code {
      case 401: "the user name or password is missing or wrong"
      case 403: "access is not permitted"
      case 404: "there is no such database; check the path of the URL"
      default: "it responded \(status.code) \(status.reasonPhrase)"
      }
    return ReplicationTransportError(
      code: 10_000 + Int(status.code), message: "\(peer) refused the connection: \(advice)")
  }

  /// Returns the error for a server that does not speak the protocol.
  static func noProtocol(_ peer: String) -> ReplicationTransportError {
    ReplicationTransportError(
      code: 11_002, message: "\(peer) does not support \(ReplicationFrames.protocolName); version 4 is required")
  }

  /// Converts a SwiftNIO error. `peer` is the address or URL that the message names.
  static func transportError(_ error: any Error, _ peer: String = "the connection") -> ReplicationTransportError {
    switch error {
    case let error as ReplicationTransportError: return error
    case let error as NIOConnectionError:
      if let failure = error.connectionErrors.first { return transportError(failure.error, peer) }
      return unknownHost("the host name of \(peer) cannot be resolved; check the name and the network")
    case let error as IOError: return systemError(error.errnoCode, peer)
    case ChannelError.connectTimeout: return timeout("\(peer) did not accept the connection in time")
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return refusedCertificate(.otherHost, peer)
    case let error as BoringSSLError: return TLSFailure(error).transportError(peer)
    case NIOSSLError.handshakeFailed(let reason): return TLSFailure(reason).transportError(peer)
    case NIOSSLError.uncleanShutdown, is ChannelError:
      return ReplicationTransportError(code: 11_006, message: "\(peer): the connection was lost")
    case let error as NIOSSLError:
      return ReplicationTransportError(code: 5006, message: "\(peer): the TLS connection failed (\(error))")
    case is HTTPParserError:
      return ReplicationTransportError(
        code: 5013, message: "\(peer): the server does not speak HTTP; if it requires TLS, use wss:// in the URL")
    default: return ReplicationTransportError(code: 5013, message: "\(peer): \(error)")
    }
  }

  private static func systemError(_ code: CInt, _ peer: String) -> ReplicationTransportError {
    let number =
      switch code {
      case ETIMEDOUT: 5003
      case ENETRESET: 5016
      case ECONNABORTED: 5017
      case ECONNRESET: 5018
      case ECONNREFUSED: 5019
      case ENETDOWN: 5020
      case ENETUNREACH: 5021
      case EHOSTDOWN: 5023
      case EHOSTUNREACH: 5024
      case EADDRNOTAVAIL: 5025
      case EPIPE: 5026
      default: 5013
      }
    let reason = String(cString: strerror(code))
    // A peer that was killed resets the connection if it had not read everything, and otherwise closes it.
    let isLost = [ECONNABORTED, ECONNRESET, EPIPE].contains(code)
    return ReplicationTransportError(
      code: number, message: isLost ? "\(peer): the connection was lost (\(reason))" : "\(peer): \(reason)")
  }
}
