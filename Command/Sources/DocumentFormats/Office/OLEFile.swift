/// An OLE compound file (MS-CFB): an encrypted office file, or one in the format of Office 97.
enum OLEFile {
  /// The first bytes of an OLE file.
  static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

  /// Returns why an OLE file is not extracted. An encrypted file contains a stream `EncryptedPackage` (MS-OFFCRYPTO).
  static func failure(_ bytes: [UInt8]) -> ExtractionFailure {
    contains("EncryptedPackage", bytes)
      ? ExtractionFailure(.encrypted, "the document is encrypted")
      : ExtractionFailure(.otherFormat, "the document is in the format of Office 97, which is not read")
  }

  /// Returns whether an entry of the directory has this name. The names are UTF-16 at the beginning of entries of 128
  /// bytes, so the whole file is searched instead of following the chain of the directory's sectors.
  ///
  /// - Complexity: O(n / 128).
  private static func contains(_ name: String, _ bytes: [UInt8]) -> Bool {
    var wanted: [UInt8] = []
    for unit in name.utf16 { wanted += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)] }
    wanted += [0, 0]
    return stride(from: 512, to: bytes.count, by: 128).contains { bytes[$0...].starts(with: wanted) }
  }
}
