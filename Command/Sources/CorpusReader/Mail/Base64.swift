/// Decodes base64 in mail (RFC 2045, section 6.8).
///
/// Characters outside the alphabet are skipped, and missing padding is added. Data may follow the padding, because some
/// programs encode a file in pieces. Text may follow the data, because mailing lists append a footer without encoding
/// it.
enum Base64 {
  /// Decodes a text.
  ///
  /// - Parameter keepsFooter: whether text after the data is appended instead of dropped.
  static func decode(_ text: ArraySlice<UInt8>, keepsFooter: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    let dataEnd = endOfCertainData(text)
    var index = appendData(text, to: &result, dataEnd: dataEnd)
    guard index < text.endIndex else { return result }
    let lastControl = text.lastIndex(where: isControl) ?? text.startIndex - 1
    while index < text.endIndex {
      let rest = text[index...]
      if lastControl < index, beginsWithText(rest) {
        if keepsFooter { result += rest }
        return result
      }
      index = appendData(rest, to: &result, dataEnd: dataEnd)
    }
    return result
  }

  /// Returns the index after the last long line of digits and the last control character after that line. A footer
  /// begins after it; a line before it that is not base64 is damaged data.
  private static func endOfCertainData(_ text: ArraySlice<UInt8>) -> Int {
    var end = text.endIndex
    while end > text.startIndex {
      let lineBreak = text[..<end].lastIndex { $0 == 0x0A || $0 == 0x0D }
      let line = text[(lineBreak.map { $0 + 1 } ?? text.startIndex)..<end]
      if line.count >= 40, line.allSatisfy({ digit($0) != nil || $0 == padding }) { break }
      end = lineBreak ?? text.startIndex
    }
    return text[end...].lastIndex(where: isControl).map { $0 + 1 } ?? end
  }

  /// Appends the bytes of the data up to the end of its padding, up to the line break before a footer, or up to the end
  /// of the text, and returns the index after it.
  ///
  /// - Parameter dataEnd: the index before which no footer begins.
  private static func appendData(_ text: ArraySlice<UInt8>, to result: inout [UInt8], dataEnd: Int) -> Int {
    var bits: UInt32 = 0
    var count = 0
    var index = text.startIndex
    // Padding ends a group of two or three digits; elsewhere, it is skipped.
    while index < text.endIndex, text[index] != padding || count < 2 {
      // A third of all data has no padding.
      if count == 0, index > text.startIndex, text[index - 1] == 0x0A, index > dataEnd, !result.isEmpty,
        beginsWithText(line(of: text, from: index))
      {
        return index - 1
      }
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

  private static func line(of text: ArraySlice<UInt8>, from start: Int) -> ArraySlice<UInt8> {
    text[start...].prefix { $0 != 0x0A }
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
