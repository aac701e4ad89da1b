import Concordance
import CX509
public import Foundation
import NIOSSL

/// A certificate and its private key. It identifies a server, or a client that uses a
/// ``ClientCertificateAuthenticator``.
///
/// ```swift
/// config.tlsIdentity = try TLSIdentity(certificateFile: "cert.pem", privateKeyFile: "key.pem")
/// ```
public struct TLSIdentity: Sendable {
  /// The certificate chain in DER form: the identity's own certificate, then those of its issuers.
  public let certs: [Data]
  /// The time at which the certificate expires.
  public let expiration: Date

  /// The certificate chain in PEM form, for example for pinning in clients.
  public var pemCertificates: String {
    certs.map { certificate in
      "-----BEGIN CERTIFICATE-----\n\(certificate.base64EncodedString(options: .lineLength64Characters))\n"
        + "-----END CERTIFICATE-----\n"
    }.joined()
  }

  /// The chain and the key.
  let pem: PEMIdentity

  /// Reads an identity in PEM form.
  ///
  /// - Parameters:
  ///   - certificates: the certificate, followed by those of its issuers.
  ///   - privateKey: the private key.
  ///   - password: the password of an encrypted private key.
  /// - Throws: ``Concordance/CBLError/crypto`` if the certificates or the key are malformed, or the key does not belong
  ///   to the certificate.
  public init(pemCertificates certificates: Data, pemPrivateKey privateKey: Data, password: String? = nil) throws {
    try self.init(certificates, privateKey, password, names: ("the certificate", "the private key"))
  }

  /// Reads an identity from two files in PEM form.
  ///
  /// - Throws: ``Concordance/CBLError/notFound`` if a file cannot be read; ``Concordance/CBLError/crypto`` if the
  ///   content of a file is malformed or the key does not belong to the certificate.
  public init(certificateFile: String, privateKeyFile: String, password: String? = nil) throws {
    try self.init(
      CertificateFile.bytes(of: certificateFile), CertificateFile.bytes(of: privateKeyFile), password,
      names: (certificateFile, privateKeyFile))
  }

  /// Reads an identity in PKCS#12 form (`.p12`, `.pfx`).
  ///
  /// - Parameters:
  ///   - data: the content of the file.
  ///   - password: the password of the file; nil if it has none.
  /// - Throws: ``Concordance/CBLError/crypto`` if the data is malformed, the password is wrong, or the certificate or
  ///   the private key is missing.
  public static func importIdentity(withData data: Data, password: String? = nil) throws -> TLSIdentity {
    let bytes = [UInt8](data)
    let (certificates, key) = try pem(
      "the PKCS#12 data is malformed, its password is wrong, or its certificate or private key is missing"
    ) {
      concordance_readPKCS12(bytes, bytes.count, password, $0, $1)
    }
    return try TLSIdentity(pemCertificates: certificates, pemPrivateKey: key)
  }

  /// Creates a self-signed identity with a new P-256 key.
  ///
  /// - Parameters:
  ///   - commonName: the subject's common name in the certificate.
  ///   - hosts: the host names and IP addresses for which clients accept the certificate.
  ///   - lifetime: the time until the certificate expires, in seconds; one year by default, at most 20 years.
  /// - Throws: ``Concordance/CBLError/invalidParameter`` if a name contains characters that are not permitted or the
  ///   lifetime is out of range; ``Concordance/CBLError/crypto`` if the certificate cannot be created.
  public static func createIdentity(
    commonName: String = "Concordance", hosts: [String] = ["localhost", "127.0.0.1", "::1"],
    lifetime: TimeInterval = 365 * 86_400
  ) throws -> TLSIdentity {
    let (certificate, key) = try createPEM(commonName: commonName, hosts: hosts, lifetime: lifetime)
    return try TLSIdentity(pemCertificates: certificate, pemPrivateKey: key)
  }

  /// Returns a new self-signed certificate and its private key in PEM form; see `createIdentity`.
  static func createPEM(
    commonName: String, hosts: [String], lifetime: TimeInterval
  ) throws -> (certificate: Data, key: Data) {
    guard (1...64).contains(commonName.utf8.count), !commonName.utf8.contains(0) else {
      throw CBLError(code: CBLError.invalidParameter, message: "the name of a certificate must be 1 to 64 bytes long")
    }
    guard lifetime >= 1, lifetime <= 20 * 366 * 86_400 else {
      throw CBLError(
        code: CBLError.invalidParameter, message: "the lifetime of a certificate must be between 1 second and 20 years")
    }
    let names = try hosts.map { host in
      // libcrypto expects a comma-separated list of names.
      guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) else {
        throw CBLError(code: CBLError.invalidParameter, message: "\"\(host)\" is not a host name or IP address")
      }
      return (IPAddress.isValid(host) ? "IP:" : "DNS:") + host
    }
    return try pem("the certificate cannot be created") {
      concordance_createCertificate(
        commonName, names.isEmpty ? nil : names.joined(separator: ","), Int(lifetime), $0, $1)
    }
  }

  /// - Parameter names: the names of the certificates and the key in error messages.
  init(
    _ certificates: Data, _ privateKey: Data, _ password: String?, names: (certificates: String, key: String)
  ) throws {
    do throws(PEMIdentity.Fault) {
      pem = try PEMIdentity(certificates: certificates, key: privateKey, password: password)
    } catch {
      switch error {
      case .certificates:
        throw TLSIdentity.failure("\(names.certificates) is not valid PEM: it must contain a certificate")
      case .key:
        throw TLSIdentity.failure(
          "\(names.key) is not valid PEM: it must contain a private key"
            + (password == nil ? ", which is not encrypted" : "; or the password is wrong"))
      case .mismatch: throw TLSIdentity.failure("\(names.key) does not belong to \(names.certificates)")
      }
    }
    certs = try pem.chain.map { Data(try $0.toDERBytes()) }
    expiration = Date(timeIntervalSince1970: TimeInterval(pem.leaf.notValidAfter))
  }

  /// Calls a libcrypto function that returns a certificate and a key in PEM form.
  private static func pem(
    _ failure: String,
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) ->
      CInt
  ) throws -> (certificate: Data, key: Data) {
    var certificate: UnsafeMutablePointer<CChar>?
    var key: UnsafeMutablePointer<CChar>?
    defer {
      free(certificate)
      free(key)
    }
    guard body(&certificate, &key) == 1, let certificate, let key else { throw TLSIdentity.failure(failure) }
    return (Data(String(cString: certificate).utf8), Data(String(cString: key).utf8))
  }

  static func failure(_ message: String) -> CBLError { CBLError(code: CBLError.crypto, message: message) }
}
