import Concordance
@testable import ConcordanceNetwork
import Foundation
import Testing

/// The files of a self-signed identity.
@Suite struct StoredIdentityTests {
  private let folder: URL
  private var file: String { folder.appendingPathComponent("a.pem").path }
  private var keyFile: String { file + ".key" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func remove() throws { try FileManager.default.removeItem(at: folder) }

  @Test func anIdentityIsReused() throws {
    let first = try StoredIdentity(file: file, hosts: ["localhost", "10.0.0.1"])
    #expect(first.missingHosts.isEmpty)
    let permissions = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.pem", "a.pem.key"])
    let second = try StoredIdentity(file: file, hosts: ["localhost", "10.0.0.1", "10.0.0.2", "::1", "other"])
    #expect(second.identity.certs == first.identity.certs)
    #expect(second.missingHosts == ["10.0.0.2", "::1", "other"])
    try remove()
  }

  @Test func anExpiredIdentityOrOneWithoutAKeyIsReplaced() throws {
    let expired = try TLSIdentity.createPEM(commonName: "Concordance", hosts: [], lifetime: 1)
    try expired.certificate.write(to: URL(fileURLWithPath: file))
    let new = try StoredIdentity(file: file, hosts: ["localhost"])
    #expect(new.identity.expiration.timeIntervalSinceNow > 364 * 86_400)
    #expect(try TLSIdentity(certificateFile: file, privateKeyFile: keyFile).certs == new.identity.certs)
    try remove()
  }

  /// Regression test: after a crash, a process with the same id, which is common in containers, could not write.
  @Test func aTemporaryFileOfACrashedProcessIsNoObstacle() throws {
    for path in [file, keyFile] { try Data().write(to: URL(fileURLWithPath: "\(path).\(getpid()).tmp")) }
    let identity = try StoredIdentity(file: file, hosts: ["localhost"]).identity
    #expect(try TLSIdentity(certificateFile: file, privateKeyFile: keyFile).certs == identity.certs)
    try remove()
  }

  /// A crash after the certificate was written leaves it without a key.
  @Test func anIdentityThatWasWrittenPartiallyIsReplaced() throws {
    let first = try StoredIdentity(file: file, hosts: ["localhost"])
    try FileManager.default.removeItem(atPath: keyFile)
    let second = try StoredIdentity(file: file, hosts: ["localhost"])
    #expect(second.identity.certs != first.identity.certs)
    #expect(try StoredIdentity(file: file, hosts: ["localhost"]).identity.certs == second.identity.certs)
    try remove()
  }

  /// Nothing that may be precious is overwritten.
  @Test func otherFilesAreKept() throws {
    let own = try TLSIdentity.createPEM(commonName: "Concordance", hosts: [], lifetime: 60)
    let foreign = try TLSIdentity.createPEM(commonName: "Test", hosts: [], lifetime: 60)
    let cases: [(certificate: Data?, key: Data?)] = [
      (Data("a text".utf8), nil), (Data(), nil), (foreign.certificate, foreign.key),
      (Data(Certificates.leaf.utf8), nil),
      (own.certificate + foreign.certificate, own.key), (own.certificate, foreign.key),
      (own.certificate, Data("a text".utf8)), (nil, own.key),
    ]
    for (certificate, key) in cases {
      for (data, path) in [(certificate, file), (key, keyFile)] {
        if let data {
          try data.write(to: URL(fileURLWithPath: path))
        } else {
          try? FileManager.default.removeItem(atPath: path)
        }
      }
      let error = #expect(throws: CBLError.self) { try StoredIdentity(file: file, hosts: ["localhost"]) }
      #expect(error?.message.contains("a.pem") == true)
      #expect(FileManager.default.contents(atPath: file) == certificate)
      #expect(FileManager.default.contents(atPath: keyFile) == key)
    }
    try remove()
  }

  @Test func aFolderThatCannotBeWrittenIsReported() throws {
    try remove()
    let error = #expect(throws: CBLError.self) { try StoredIdentity(file: file, hosts: ["localhost"]) }
    #expect(error?.code == CBLError.ioError)
  }
}
