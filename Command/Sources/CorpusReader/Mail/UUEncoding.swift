/// Decodes uuencoded data (<https://pubs.opengroup.org/onlinepubs/9799919799/utilities/uuencode.html>).
enum UUEncoding {
  /// Returns the data between the lines `begin MODE NAME` and `end`; nil if no such data begins.
  ///
  /// - Parameter keepsFooter: whether the text around the data, such as the footer of a mailing list, is kept.
  static func decode(_ text: ArraySlice<UInt8>, keepsFooter: Bool) -> [UInt8]? {
    var data: [UInt8] = []
    var position = text.startIndex
    var state = State.before
    while position < text.endIndex {
      let end = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      let next = min(end + 1, text.endIndex)
      let line = text[position..<end]
      switch state {
      case .before where line.starts(with: "begin ".utf8): state = .inside
      case .inside where line.starts(with: "end".utf8) && line.dropFirst(3).allSatisfy({ $0.isJSONSpace }):
        state = .after
      case .inside: append(line, to: &data)
      case .before, .after: if keepsFooter { data += text[position..<next] }
      }
      position = next
    }
    return state == .before ? nil : data
  }

  private enum State { case before, inside, after }

  /// Appends the bytes of a line, whose first character is their number.
  private static func append(_ line: ArraySlice<UInt8>, to data: inout [UInt8]) {
    guard let first = line.first, first != UInt8(ascii: "\r") else { return }
    let count = Int(value(first))
    let digits = line.dropFirst().filter { $0 != UInt8(ascii: "\r") }
    let start = data.count
    for group in stride(from: 0, to: (count + 2) / 3 * 4, by: 4) {
      // Programs that remove spaces at the ends of lines remove zeros.
      var bits: UInt32 = 0
      for index in group..<(group + 4) { bits = bits << 6 | (index < digits.count ? UInt32(value(digits[index])) : 0) }
      data += [
        UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits),
      ]
    }
    data.removeLast(data.count - start - count)
  }

  /// Returns the six bits of a character. Zero is a space or a grave accent.
  private static func value(_ character: UInt8) -> UInt8 { (character &- 0x20) & 0x3F }
}
