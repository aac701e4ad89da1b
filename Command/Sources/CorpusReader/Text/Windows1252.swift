/// Decodes Windows-1252, whose letters include those of Latin-1.
///
/// The table is from <https://encoding.spec.whatwg.org/index-windows-1252.txt>.
enum Windows1252 {
  /// Returns whether text can be Windows-1252: no control bytes except white space, backspace and escape, and none of
  /// the five undefined bytes.
  static func isPlausible(_ text: UnsafeRawBufferPointer) -> Bool {
    text.allSatisfy { isText[Int($0)] }
  }

  /// Appends Windows-1252 text as UTF-8.
  static func decode(_ text: UnsafeRawBufferPointer, into result: ByteBuffer) {
    result.reserve(text.count + text.count / 8)
    for byte in text {
      let value = (0x80...0x9F).contains(byte) ? UInt32(high[Int(byte) - 0x80]) : UInt32(byte)
      result.append(scalar: value == 0 && byte != 0 ? 0xFFFD : value)
    }
  }

  /// Returns the character of a byte from 0x80 to 0x9F; nil for undefined bytes and all others.
  static func character(ofControl value: UInt32) -> String? {
    guard (0x80...0x9F).contains(value), let scalar = Unicode.Scalar(high[Int(value) - 0x80]), scalar.value != 0
    else { return nil }
    return String(scalar)
  }

  private static let isText: [Bool] = (0...255).map { byte in
    switch byte {
    case 0x08...0x0D, 0x1B: true
    case ..<0x20, 0x7F: false
    case 0x80...0x9F: high[byte - 0x80] != 0
    default: true
    }
  }

  /// The characters of 0x80 to 0x9F; zero for undefined bytes.
  private static let high: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D,
    0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
    0x017E, 0x0178,
  ]
}
