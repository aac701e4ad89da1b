/// Decodes code pages of Windows, DOS and Mac OS.
enum CodePage {
  /// Returns the code page of a character set (`\fcharset`, RTF 1.9.1, "Font Table"). Nil for ANSI (0), default
  /// (1) and symbol (2): the code page of the file applies.
  static func number(ofCharacterSet set: Int) -> Int? { characterSets[set] }

  private static let characterSets = [
    77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
    186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
  ]

  static func decode(_ bytes: [UInt8], number: Int) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    // An invalid byte is omitted.
    let decoded = bytes.withUnsafeBytes { Iconv.decode($0, characterSet: name(number), replacement: "") }
    guard let decoded else { return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Returns the name that iconv uses for a code page.
  private static func name(_ number: Int) -> String {
    switch number {
    case 10000: "MACINTOSH"
    case 10007: "MAC-CYRILLIC"
    case 10029: "MAC-CENTRALEUROPE"
    default: "CP\(number)"
    }
  }
}
