/// Unsigned LEB128 encoding: seven bits per byte, low-order bits first.
enum Varint {
  /// The maximum length of an encoded number in bytes.
  static let maximumLength = 10

  /// Appends a number.
  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads a number at an offset and moves the offset to its end.
  ///
  /// - Returns: nil if the bytes end before the number does, or if the number has more than 64 bits.
  static func read(_ bytes: some RandomAccessCollection<UInt8>, at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<maximumLength {
      guard offset + index < bytes.count else { return nil }
      let byte = bytes[bytes.index(bytes.startIndex, offsetBy: offset + index)]
      guard index < 9 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte & 0x80 == 0 {
        offset += index + 1
        return value
      }
    }
    return nil
  }
}
