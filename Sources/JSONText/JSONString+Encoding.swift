extension JSONString {
  /// Appends a string with the escapes that JSON requires (RFC 8259, section 7), without quotation marks.
  ///
  /// Source code needs an escape about every twelve bytes, so eight bytes are processed at a time.
  ///
  /// - Parameters:
  ///   - text: UTF-8.
  ///   - result: the array to append to.
  /// - Complexity: O(n) in the length of the text.
  public static func encode(_ text: UnsafeRawBufferPointer, into result: inout [UInt8]) {
    var start = 0
    while start < text.count {
      let block = UnsafeRawBufferPointer(rebasing: text[start..<min(start + encodedBlockSize, text.count)])
      // A byte becomes at most six bytes. Eight more are needed because a whole word is stored before the number of its
      // valid bytes is known.
      withUnsafeTemporaryAllocation(byteCount: block.count * 6 + 8, alignment: 8) { buffer in
        let count = encode(block, to: buffer)
        result.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      start += block.count
    }
  }

  /// The number of bytes that are escaped at a time. The buffer for a block of this size fits on the stack.
  private static let encodedBlockSize = 160

  /// Escapes text.
  ///
  /// - Returns: The number of bytes written.
  private static func encode(_ text: UnsafeRawBufferPointer, to buffer: UnsafeMutableRawBufferPointer) -> Int {
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

  /// Sets the high bit of each byte that needs an escape. The bits after the first set bit may be incorrect, because
  /// only the first one is used.
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

  /// Returns the character after the backslash, which is `u` for a control character without a short escape, or 0 for a
  /// byte that needs no escape (RFC 8259, section 7).
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
