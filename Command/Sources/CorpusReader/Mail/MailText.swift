/// Decodes the bytes of a mail.
enum MailText {
  /// Decodes text of a named character set; if the name is missing or unknown, as UTF-8 or Windows-1252.
  static func decode(_ bytes: [UInt8], charset: String?) -> String {
    bytes.withUnsafeBytes { bytes in
      if let charset, !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased()),
        let text = NamedCharacterSet.decode(bytes, name: charset)
      {
        return String(decoding: text, as: UTF8.self)
      }
      if bytes.isUTF8 || charset?.lowercased().hasPrefix("utf") == true {
        return String(decoding: bytes, as: UTF8.self)
      }
      let result = ByteBuffer()
      Windows1252.decode(bytes, into: result)
      return String(decoding: result.array, as: UTF8.self)
    }
  }
}
