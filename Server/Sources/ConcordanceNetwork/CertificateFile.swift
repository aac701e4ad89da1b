import Concordance
public import Foundation

/// A file with certificates.
public enum CertificateFile {
  /// Returns the content of a file with certificates in PEM form, or one certificate in DER form.
  ///
  /// - Throws: ``Concordance/CBLError/notFound`` if the file cannot be read; ``Concordance/CBLError/crypto`` if it
  ///   contains no certificate or a malformed one.
  public static func content(of file: String) throws -> Data {
    let data = try bytes(of: file)
    guard let certificates = try? CertificateCheck.certificates(data), !certificates.isEmpty else {
      throw TLSIdentity.failure("\(file) is malformed: it must contain a certificate in PEM or DER form")
    }
    return data
  }

  /// Returns the content of a file with certificates or a key without checking it.
  ///
  /// - Throws: ``Concordance/CBLError/notFound`` if the file cannot be read.
  static func bytes(of file: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw CBLError(code: CBLError.notFound, message: "\(file): cannot be read")
    }
    return data
  }
}
