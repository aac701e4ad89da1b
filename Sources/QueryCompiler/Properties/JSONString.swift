/// Resolves the escapes of strings in JSON text; RFC 8259, section 7.
enum JSONString {
  /// Writes what stands between quotes without its escapes.
  ///
  /// Half of a surrogate pair, and an escape that is none, become U+FFFD, so that the result is UTF-8.
  ///
  /// - Parameter target: room for as many bytes as the text has; no escape makes text longer.
  /// - Returns: how many bytes were written.
  static func decode(_ text: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) -> Int {
    let output = UnsafeMutableRawPointer(target)
    var count = 0
    var index = 0
    while index < text.count {
      if index + 8 <= text.count {
        // Eight bytes at a time. What is written too much is written over; there is room, since nothing gets longer.
        let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        output.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        let plain = bytesBeforeBackslash(in: word)
        count += plain
        index += plain
        if plain == 8 { continue }
      }
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        target[count] = byte
        count += 1
        index += 1
        continue
      }
      let escape = text[index + 1]
      index += 2
      guard escape == UInt8(ascii: "u") else {
        target[count] = resolved(escape)
        count += 1
        continue
      }
      var unit = hexadecimal(text, at: index)
      index = min(index + 4, text.count)
      if let high = unit, high & 0xFC00 == 0xD800, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
        text[index + 1] == UInt8(ascii: "u"), let low = hexadecimal(text, at: index + 2), low & 0xFC00 == 0xDC00
      {
        unit = 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF
        index += 6
      }
      for byte in UTF8.encode(unit.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
      where count < text.count {
        target[count] = byte
        count += 1
      }
    }
    return count
  }

  /// What stands between quotes, as a string.
  static func string(_ text: UnsafeRawBufferPointer) -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      return String(decoding: UnsafeBufferPointer(start: base, count: decode(text, into: base)), as: UTF8.self)
    }
  }

  /// Whether what stands between quotes is this text.
  static func equals(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= other.count else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(text.count, 1)) { buffer in
      guard let base = buffer.baseAddress else { return false }
      return UnsafeBufferPointer(start: base, count: decode(text, into: base)).elementsEqual(other)
    }
  }

  /// How many of eight bytes stand in front of the first backslash: the usual test for a zero byte, of what differs from
  /// eight backslashes. Its first hit is right, later ones may not be.
  @inline(__always)
  private static func bytesBeforeBackslash(in word: UInt64) -> Int {
    let difference = UInt64(littleEndian: word) ^ 0x5C5C_5C5C_5C5C_5C5C
    let hits = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    return hits.trailingZeroBitCount >> 3
  }

  private static func resolved(_ escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  private static func hexadecimal(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    guard start + 4 <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<(start + 4)] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }
}
