/// Decodes text in mail messages.
enum MailText {
  /// Decodes text in a named character set, see ``utf8(_:charset:)``. A NUL byte becomes U+FFFD.
  static func decode(_ bytes: [UInt8], charset: String?) -> String {
    let text = utf8(bytes, charset: charset)
    guard text.contains(0) else { return String(decoding: text, as: UTF8.self) }
    var replaced: [UInt8] = []
    replaced.reserveCapacity(text.count + 16)
    for part in text.split(separator: 0, omittingEmptySubsequences: false) {
      replaced += part
      replaced += "\u{FFFD}".utf8
    }
    // No NUL byte follows the last part.
    replaced.removeLast("\u{FFFD}".utf8.count)
    return String(decoding: replaced, as: UTF8.self)
  }

  /// Returns text in a named character set as UTF-8. If the name is missing, unknown or wrong, the text is read as
  /// UTF-8 if that is valid or has few invalid bytes, otherwise as Windows-1252.
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    bytes.withUnsafeBytes { text in
      // Text that is declared as ASCII may be UTF-8.
      if let charset, !["us-ascii", "ascii"].contains(charset.lowercased()),
        let decoded = NamedCharacterSet.decode(text, name: charset)
      {
        return decoded
      }
      if text.isUTF8 { return bytes }
      if let repaired = DamagedUTF8.repaired(text) { return repaired }
      let result = ByteBuffer()
      Windows1252.decode(text, into: result)
      return result.array
    }
  }
}
