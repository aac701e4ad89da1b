/// Writes long texts as JSON strings.
///
/// `JSONWriter` appends to an array in pieces. In source code, which needs an escape every dozen bytes, this takes
/// three quarters of the time for reading a file. This type processes eight bytes at a time and is three times as fast.
enum JSONStringEscape {
  /// Appends text, which must be UTF-8, between quotes.
  static func append(_ text: UnsafeRawBufferPointer, to result: ByteBuffer) {
    result.append(UInt8(ascii: "\""))
    var start = 0
    while start < text.count {
      let end = min(start + blockSize, text.count)
      // A byte becomes at most six; a whole word is stored before the number of valid bytes in it is known.
      result.fill(atMost: (end - start) * 6 + 8) { buffer in
        escape(UnsafeRawBufferPointer(rebasing: text[start..<end]), into: buffer)
      }
      start = end
    }
    result.append(UInt8(ascii: "\""))
  }

  private static let blockSize = 4 << 10

  /// Escapes text.
  ///
  /// - Returns: the number of bytes written.
  private static func escape(_ text: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let source = text.baseAddress, let target = buffer.baseAddress else { return 0 }
    var read = 0
    var written = 0
    while read < text.count {
      if read + 8 <= text.count {
        let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: read, as: UInt64.self))
        let mask = escapeMask(word)
        target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
        let plain = mask.trailingZeroBitCount >> 3
        read += plain
        written += plain
        if plain == 8 { continue }
      }
      let byte = source.load(fromByteOffset: read, as: UInt8.self)
      read += 1
      let short = shortEscape(byte)
      if short == 0 {
        target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
        written += 1
        continue
      }
      target.storeBytes(of: UInt8(ascii: "\\"), toByteOffset: written, as: UInt8.self)
      target.storeBytes(of: short, toByteOffset: written + 1, as: UInt8.self)
      written += 2
      if short == UInt8(ascii: "u") {
        for digit in [0, 0, byte >> 4, byte & 15] {
          target.storeBytes(of: hexadecimal(digit), toByteOffset: written, as: UInt8.self)
          written += 1
        }
      }
    }
    return written
  }

  /// Sets the high bit of each byte that needs an escape. Bytes after the first one may be set incorrectly; only the
  /// first one is used.
  private static func escapeMask(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones &* 0x80
    let quotes = word ^ ones &* 0x22
    let backslashes = word ^ ones &* 0x5C
    let below = (word &- ones &* 0x20) & ~word
    let isQuote = (quotes &- ones) & ~quotes
    let isBackslash = (backslashes &- ones) & ~backslashes
    return (below | isQuote | isBackslash) & highs
  }

  /// Returns the letter after the backslash, or 0 for a byte without a short escape (RFC 8259, section 7).
  private static func shortEscape(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x0A: UInt8(ascii: "n")
    case 0x09: UInt8(ascii: "t")
    case 0x22, 0x5C: byte
    case 0x0D: UInt8(ascii: "r")
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case ..<0x20: UInt8(ascii: "u")
    default: 0
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? 0x30 + digit : 0x61 + digit - 10
  }
}
