import Foundation

/// Decodes the transfer encodings of mail (RFC 2045, section 6).
enum TransferEncoding {
  static func decode(_ body: ArraySlice<UInt8>, encoding: String) -> [UInt8] {
    switch encoding.lowercased() {
    case "base64": base64(body)
    case "quoted-printable": quotedPrintable(body)
    default: Array(body)
    }
  }

  /// Decodes base64. Characters outside the alphabet are skipped, and missing padding is added.
  static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let alphabet = "+/".utf8
    var digits = text.filter {
      $0 &- UInt8(ascii: "0") < 10 || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || alphabet.contains($0)
    }
    // A single remaining digit encodes less than a byte.
    if digits.count % 4 == 1 { digits.removeLast() }
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(digits)).map { Array($0) } ?? []
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
      if rest.first == UInt8(ascii: "\n") {
        index += 1
      } else if rest.starts(with: "\r\n".utf8) {
        index += 2
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

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte &- UInt8(ascii: "0") < 10 { return byte - UInt8(ascii: "0") }
    let letter = byte | 0x20
    return letter &- UInt8(ascii: "a") < 6 ? letter - UInt8(ascii: "a") + 10 : nil
  }
}
