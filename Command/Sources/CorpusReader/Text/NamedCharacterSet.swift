import DocumentFormats

/// Decodes text in a character set that a mail header or an HTML page declares, using the system's iconv.
enum NamedCharacterSet {
  /// Returns the text as UTF-8. Malformed input becomes U+FFFD.
  ///
  /// - Returns: nil if iconv does not support the character set, or if the name is that of UTF-8 and the text is not in
  ///   UTF-8. Such a declaration is usually wrong, so the caller determines the character set from the bytes.
  static func decode(_ text: UnsafeRawBufferPointer, name: String) -> [UInt8]? {
    // iconv interprets "//" and the text after it as options.
    guard !name.isEmpty, name.utf8.count < 64, name.utf8.allSatisfy(isNamePart) else { return nil }
    if isUTF8(name) { return text.isUTF8 ? Array(text) : nil }
    // Latin-1 is commonly used as a name for Windows-1252 (<https://encoding.spec.whatwg.org/#names-and-labels>).
    if ["iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252"].contains(name.lowercased()) {
      let result = ByteBuffer()
      Windows1252.decode(text, into: result)
      return result.array
    }
    let known = aliases[name.lowercased()] ?? name
    guard let decoded = Iconv.decode(text, characterSet: known) else { return nil }
    return decoded.withUnsafeBytes { $0.isUTF8 } ? decoded : nil
  }

  /// Returns whether text in this character set can be decoded.
  static func isKnown(_ name: String) -> Bool {
    [UInt8(ascii: "a")].withUnsafeBytes { decode($0, name: name) } != nil
  }

  /// Returns whether a name is one of the names of UTF-8.
  static func isUTF8(_ name: String) -> Bool {
    ["utf-8", "utf8", "unicode-1-1-utf-8"].contains(name.lowercased())
  }

  /// Names in mail and web pages that iconv does not know, or that stand for a superset in practice
  /// (<https://encoding.spec.whatwg.org/#names-and-labels>).
  private static let aliases = [
    "big5_tw": "BIG5", "x-x-big5": "BIG5", "eucgb2312_cn": "GB18030", "gb2312": "GB18030", "gbk": "GB18030",
    "x-gbk": "GB18030", "gb_2312-80": "GB18030", "shift_jis": "CP932", "x-sjis": "CP932", "windows-31j": "CP932",
    "ms_kanji": "CP932", "x-euc-jp": "EUC-JP", "ks_c_5601-1987": "CP949", "ks_c_5601-1989": "CP949", "euc-kr": "CP949",
    "iso-8859-8-i": "ISO-8859-8", "iso-8859-8-e": "ISO-8859-8", "iso-8859-9": "CP1254", "iso-8859-11": "CP874",
    "tis-620": "CP874", "windows-874": "CP874", "x-mac-roman": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC",
    "unicode-1-1-utf-7": "UTF-7", "x-cp1250": "CP1250", "x-cp1251": "CP1251",
    "x-cp1252": "CP1252", "cp-850": "CP850", "ansi_x3.110-1983": "CP1252",
  ]

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "-_.:".utf8.contains(byte)
  }
}
