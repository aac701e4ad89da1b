/// The first bytes of binary file formats that may have no NUL byte near their start.
enum BinarySignature {
  /// Returns the kind of a file from its first bytes, or nil if it may be text.
  static func kind(of head: UnsafeRawBufferPointer) -> String? {
    signatures.first { head.starts(with: $0.bytes) }?.kind
  }

  private static let signatures: [(bytes: [UInt8], kind: String)] = [
    (Array("%PDF-".utf8), "PDF"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG"),
    (Array("GIF87a".utf8), "GIF"),
    (Array("GIF89a".utf8), "GIF"),
    ([0xFF, 0xD8, 0xFF], "JPEG"),
    ([0x50, 0x4B, 0x03, 0x04], "ZIP"),
    ([0x1F, 0x8B, 0x08], "gzip"),
    ([0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59], "bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z"),
    ([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], "RAR"),
    ([0x7F, 0x45, 0x4C, 0x46], "ELF"),
    (Array("!<arch>\n".utf8), "ar"),
    (Array("SQLite format 3\0".utf8), "SQLite"),
    (Array("OggS".utf8), "Ogg"),
    (Array("wOF2".utf8), "WOFF"),
    (Array("wOFF".utf8), "WOFF"),
  ]
}
