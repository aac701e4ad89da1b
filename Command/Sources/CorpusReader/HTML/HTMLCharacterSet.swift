/// Finds the character set that a page declares: `<meta charset="…">`, `<meta http-equiv="Content-Type"
/// content="…">`, or the encoding in the XML declaration of XHTML.
enum HTMLCharacterSet {
  /// Returns the first character set that the page declares and that this module can decode; nil if it declares none.
  static func declared(in page: UnsafeRawBufferPointer) -> String? {
    var prescan = HTMLPrescan(page)
    return prescan.characterSet { DeclaredCharacterSet.resolved($0) }
      ?? XMLDeclaration.encoding(of: page).flatMap { DeclaredCharacterSet.resolved($0) }
  }

  /// Returns whether a page in ASCII may be in a character set that consists of ASCII bytes and escape sequences, such
  /// as ISO-2022-JP.
  static func hasEscapeSequences(_ page: UnsafeRawBufferPointer) -> Bool {
    page.firstIndex(of: 0x1B, from: 0) != nil && page.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether text in a character set contains escape sequences that change the meaning of ASCII bytes.
  static func usesEscapeSequences(_ name: String) -> Bool { name.lowercased().hasPrefix("iso-2022-") }
}
