/// Finds the character set that a page declares: `<meta charset="…">`, `<meta http-equiv="Content-Type"
/// content="…">`, or the encoding in the XML declaration of XHTML.
enum HTMLCharacterSet {
  /// Searches the first 1,024 bytes, as browsers do
  /// (<https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>).
  static func declared(in page: UnsafeRawBufferPointer) -> String? {
    let head = String(decoding: page.prefix(1024), as: UTF8.self)
    if let match = head.firstMatch(of: /(?i)<meta[^>]*charset\s*=\s*["']?\s*([a-z0-9_:.\-]+)/) {
      return String(match.output.1)
    }
    guard head.hasPrefix("<?xml"),
      let match = head.firstMatch(of: /(?i)<\?xml[^>]*encoding\s*=\s*["']\s*([a-z0-9_:.\-]+)/)
    else { return nil }
    return String(match.output.1)
  }

  /// Returns whether a page in ASCII may be in a character set that consists of ASCII bytes and escape sequences, such
  /// as ISO-2022-JP.
  static func hasEscapeSequences(_ page: UnsafeRawBufferPointer) -> Bool {
    page.firstIndex(of: 0x1B, from: 0) != nil && page.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether text in a character set contains escape sequences that change the meaning of ASCII bytes.
  static func usesEscapeSequences(_ name: String) -> Bool { name.lowercased().hasPrefix("iso-2022-") }
}
