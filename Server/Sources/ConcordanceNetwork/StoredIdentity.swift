import Concordance
import Foundation
import NIOSSL

/// A self-signed identity that a program keeps in two files, so that clients which pin its certificate can connect
/// after a restart: the certificate in `FILE`, which clients receive, and the private key in `FILE.key`, which only the
/// owner can read.
///
/// ```swift
/// let stored = try StoredIdentity(file: "notes.pem", hosts: config.certificateHosts())
/// config.tlsIdentity = stored.identity
/// ```
public struct StoredIdentity: Sendable {
  /// The identity.
  public let identity: TLSIdentity
  /// The hosts for which the certificate is not valid. This happens if the addresses have changed since it was created.
  public let missingHosts: [String]

  /// The common name of the certificates, by which they are recognized.
  private static let commonName = "Concordance"
  private static let lifetime: TimeInterval = 365 * 86_400

  /// Reads an identity. Creates one if the files do not exist, the certificate has expired or its key is missing.
  ///
  /// - Parameters:
  ///   - file: the path of the certificate. That of the key has the suffix `.key`.
  ///   - hosts: the host names and IP addresses for which a new certificate is valid.
  /// - Throws: ``Concordance/CBLError/crypto`` if a file exists that this type has not created: it is not overwritten;
  ///   ``Concordance/CBLError/ioError`` if a file cannot be read or written.
  public init(file: String, hosts: [String]) throws {
    let keyFile = file + ".key"
    let (certificate, key) = (try StoredIdentity.content(file), try StoredIdentity.content(keyFile))
    if let certificate {
      let leaf = try StoredIdentity.ownCertificate(certificate, file)
      if let key {
        let stored = try TLSIdentity(certificate, key, nil, names: (file, keyFile))
        if stored.expiration > Date() {
          identity = stored
          missingHosts = hosts.filter { !CertificateCheck.isValid(leaf, for: $0) }
          return
        }
      }
    } else if key != nil {
      throw TLSIdentity.failure("\(keyFile) exists, but \(file) does not; delete it, or choose another file")
    }
    let new = try TLSIdentity.createPEM(
      commonName: StoredIdentity.commonName, hosts: hosts, lifetime: StoredIdentity.lifetime)
    identity = try TLSIdentity(pemCertificates: new.certificate, pemPrivateKey: new.key)
    missingHosts = []
    // The key is written last, so that a crash leaves a certificate without a key, which the next start replaces. The
    // old key is deleted because it does not belong to the new certificate.
    if key != nil {
      guard unlink(keyFile) == 0 || errno == ENOENT else { throw StoredIdentity.writeFailure(keyFile) }
      StoredIdentity.synchronizeFolder(of: file)
    }
    try StoredIdentity.replace(new.certificate, file, mode: 0o644)
    StoredIdentity.synchronizeFolder(of: file)
    try StoredIdentity.replace(new.key, keyFile, mode: 0o600)
  }

  /// Returns the certificate of a file in DER form.
  ///
  /// - Throws: ``Concordance/CBLError/crypto`` if it is not a certificate that this type has created.
  private static func ownCertificate(_ data: Data, _ file: String) throws -> [UInt8] {
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes([UInt8](data)), certificates.count == 1,
      let leaf = try? certificates.first?.toDERBytes(), CertificateCheck.isSelfSigned(leaf),
      CertificateCheck.hasCommonName(leaf, commonName)
    else {
      throw TLSIdentity.failure(
        "\(file) exists and is not a self-signed certificate of Concordance, so it is not overwritten; "
          + "choose another file")
    }
    return leaf
  }

  /// Returns the content of a file; nil if it does not exist.
  private static func content(_ file: String) throws -> Data? {
    var status = stat()
    if lstat(file, &status) != 0, errno == ENOENT { return nil }
    // Certificates are small. A device or a pipe could be endless.
    guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20,
      let data = FileManager.default.contents(atPath: file)
    else { throw TLSIdentity.failure("\(file) exists and cannot be read as a certificate or key; choose another file") }
    return data
  }

  /// Replaces a file in one step. It never has other permissions than `mode`.
  private static func replace(_ data: Data, _ file: String, mode: mode_t) throws {
    // Process ids are repeated in containers, and a crash leaves the temporary file.
    let temporary = "\(file).\(UUID().uuidString).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw writeFailure(file) }
    let count = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    let isWritten = count == data.count && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(temporary, file) == 0 else {
      defer { unlink(temporary) }
      throw writeFailure(file)
    }
  }

  /// Returns the error for the last system call.
  private static func writeFailure(_ file: String) -> CBLError {
    CBLError(code: CBLError.ioError, message: "\(file) cannot be written: \(String(cString: strerror(errno)))")
  }

  /// Stores the changes to the names in a folder before later ones. Some file systems do not support it.
  private static func synchronizeFolder(of file: String) {
    let descriptor = open(URL(fileURLWithPath: file).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = close(descriptor)
  }
}
