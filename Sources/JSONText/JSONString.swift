import CSimdJSON

/// Resolves the escapes of strings in JSON text; RFC 8259, section 7.
public enum JSONString {
  /// Writes the text between quotation marks with its escapes resolved.
  ///
  /// A lone surrogate and a malformed escape become U+FFFD, so that the result is UTF-8.
  ///
  /// - Parameter target: memory for as many bytes as the text has. An escape is never shorter than its character.
  /// - Returns: the number of bytes written.
  public static func decode(_ text: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) -> Int {
    guard let input = text.baseAddress else { return 0 }
    let output = UnsafeMutableRawPointer(target)
    // Otherwise, each escape would check whether the table is initialized.
    let escaped = JSONString.escaped
    var count = 0
    var index = 0
    // The JSON text of source code contains an escape about every fourteen bytes. Searching for escapes one by one
    // would make each step depend on the previous one. Therefore, all backslashes of a block are found together, and
    // the text between two of them is copied in blocks of a fixed size, without a branch. The excess bytes are
    // overwritten later. They fit in the target because an escape is never shorter than its character.
    while index &+ 3 * blockSize <= text.count {
      var backslashes = csimdjson_backslashes(input + index)
      let end = index &+ blockSize
      var start = index
      while backslashes != 0 {
        let backslash = index &+ backslashes.trailingZeroBitCount
        copyBlock(input + start, output + count)
        count &+= backslash &- start
        let escape = text[backslash &+ 1]
        start = backslash &+ 2
        if escape == UInt8(ascii: "u") {
          start = decodeScalar(text, at: start, into: target, &count)
          break
        }
        target[count] = escaped[Int(escape)]
        count &+= 1
        // An escaped backslash does not begin an escape.
        backslashes &= ~(3 &<< UInt64(truncatingIfNeeded: backslash &- index))
      }
      if backslashes == 0, start < end {
        copyBlock(input + start, output + count)
        count &+= end &- start
        start = end
      }
      index = start
    }
    return decodeBytes(text, from: index, into: target, count)
  }

  /// Returns the text between quotation marks as a string.
  public static func string(_ text: UnsafeRawBufferPointer) -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      return String(decoding: UnsafeBufferPointer(start: base, count: decode(text, into: base)), as: UTF8.self)
    }
  }

  /// Returns whether the text between quotation marks, with its escapes resolved, equals another text.
  public static func equals(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= other.count else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(text.count, 1)) { buffer in
      guard let base = buffer.baseAddress else { return false }
      return UnsafeBufferPointer(start: base, count: decode(text, into: base)).elementsEqual(other)
    }
  }

  /// Decodes the bytes after the last whole block.
  private static func decodeBytes(
    _ text: UnsafeRawBufferPointer, from start: Int, into target: UnsafeMutablePointer<UInt8>, _ written: Int
  ) -> Int {
    var count = written
    var index = start
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        target[count] = byte
        count += 1
        index += 1
        continue
      }
      let escape = text[index + 1]
      index += 2
      if escape == UInt8(ascii: "u") {
        index = decodeScalar(text, at: index, into: target, &count)
      } else {
        target[count] = escaped[Int(escape)]
        count += 1
      }
    }
    return count
  }

  /// Writes the scalar whose digits follow `\u`, or the scalar of two such escapes if they are a surrogate pair.
  ///
  /// - Returns: the offset after the escape or escapes.
  private static func decodeScalar(
    _ text: UnsafeRawBufferPointer, at start: Int, into target: UnsafeMutablePointer<UInt8>, _ count: inout Int
  ) -> Int {
    var unit = hexadecimal(text, at: start)
    var index = min(start + 4, text.count)
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
    return index
  }

  private static let blockSize = 64

  @inline(__always)
  private static func copyBlock(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    for offset in stride(from: 0, to: blockSize, by: 16) {
      let part = source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      target.storeBytes(of: part, toByteOffset: offset, as: SIMD16<UInt8>.self)
    }
  }

  /// The byte for each character after a backslash: the character itself, unless RFC 8259 defines another.
  private static let escaped: [UInt8] = (0...255).map { (byte: UInt8) in
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }

  /// Returns the code unit of the four hexadecimal digits of an escape; nil if they are not digits.
  static func hexadecimal(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
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
