/// Decodes base64 in mail (RFC 2045, section 6.8).
///
/// Characters outside the alphabet are skipped, and missing padding is added. Data may follow the padding, because some
/// programs encode a file in pieces, and so may text, because mailing lists append a footer without encoding it.
enum Base64 {
  /// Decodes a text.
  ///
  /// - Parameter keepsFooter: whether text after the padding is appended instead of dropped.
  static func decode(_ text: ArraySlice<UInt8>, keepsFooter: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    var index = appendData(text, to: &result)
    guard index < text.endIndex else { return result }
    let lastControl = text.lastIndex(where: isControl) ?? text.startIndex - 1
    while index < text.endIndex {
      let rest = text[index...]
      if lastControl < index, beginsWithText(rest) {
        if keepsFooter { result += rest }
        return result
      }
      index = appendData(rest, to: &result)
    }
    return result
  }

  /// Appends the bytes of the data up to the end of its padding, or up to the end of the text, and returns the index
  /// after it.
  private static func appendData(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) -> Int {
    var bits: UInt32 = 0
    var count = 0
    var index = text.startIndex
    // Padding ends a group of two or three digits; elsewhere, it is skipped.
    while index < text.endIndex, text[index] != padding || count < 2 {
      if let digit = digit(text[index]) {
        bits = bits << 6 | UInt32(digit)
        count += 1
      }
      index += 1
      guard count == 4 else { continue }
      result.append(UInt8(truncatingIfNeeded: bits >> 16))
      result.append(UInt8(truncatingIfNeeded: bits >> 8))
      result.append(UInt8(truncatingIfNeeded: bits))
      (bits, count) = (0, 0)
    }
    // Two digits contain a byte, three digits two bytes, a single one less than a byte.
    if count == 2 { result.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if count == 3 {
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    while index < text.endIndex, text[index] == padding { index += 1 }
    return index
  }

  /// Returns whether the bytes up to the next padding contain characters that are not base64, such as spaces between
  /// words.
  private static func beginsWithText(_ text: ArraySlice<UInt8>) -> Bool {
    var hasDigit = false
    var isLineStarted = false
    var isAfterSpace = false
    for byte in text {
      switch byte {
      case 0x0A, 0x0D: (isLineStarted, isAfterSpace) = (false, false)
      case 0x20, 0x09: isAfterSpace = isLineStarted
      case padding: return !hasDigit
      default:
        if isAfterSpace || digit(byte) == nil { return true }
        (hasDigit, isLineStarted) = (true, true)
      }
    }
    return false
  }

  private static let padding = UInt8(ascii: "=")

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(0x09...0x0D).contains(byte) || byte == 0x7F
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
