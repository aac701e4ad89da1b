/// Decodes the transfer encodings of mail (RFC 2045, section 6), and uuencode, which older programs use.
enum TransferEncoding {
  /// Decodes the body of a part.
  ///
  /// - Parameter keepsFooter: whether text after encoded data, such as the footer of a mailing list, is kept.
  static func decode(_ body: ArraySlice<UInt8>, encoding: String, keepsFooter: Bool = false) -> [UInt8] {
    switch encoding.lowercased() {
    case "base64": Base64.decode(body, keepsFooter: keepsFooter)
    case "quoted-printable": quotedPrintable(body)
    case "x-uuencode", "uuencode", "x-uue", "uue": UUEncoding.decode(body, keepsFooter: keepsFooter) ?? Array(body)
    default: Array(body)
    }
  }

  static func quotedPrintable(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      let rest = text[index...]
      if let end = endOfSoftBreak(rest) {
        index = end
      } else if rest.count >= 2, let high = hexadecimal(rest[index]), let low = hexadecimal(rest[index + 1]) {
        result.append(high << 4 | low)
        index += 2
      } else {
        // Not an encoded byte, so it is kept.
        result.append(byte)
      }
    }
    return result
  }

  /// Returns where the text continues after a soft line break; nil if no line break follows the equals sign. Programs
  /// append spaces and tabs to lines (RFC 2045, section 6.7).
  private static func endOfSoftBreak(_ text: ArraySlice<UInt8>) -> Int? {
    let rest = text.drop { $0 == 0x20 || $0 == 0x09 }
    if rest.isEmpty { return rest.endIndex }
    if rest.first == UInt8(ascii: "\n") { return rest.startIndex + 1 }
    return rest.starts(with: "\r\n".utf8) ? rest.startIndex + 2 : nil
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte &- UInt8(ascii: "0") < 10 { return byte - UInt8(ascii: "0") }
    let letter = byte | 0x20
    return letter &- UInt8(ascii: "a") < 6 ? letter - UInt8(ascii: "a") + 10 : nil
  }
}
