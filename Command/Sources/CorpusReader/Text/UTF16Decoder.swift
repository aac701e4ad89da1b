/// Converts UTF-16 to UTF-8 in blocks. A code unit or surrogate pair split between two blocks is joined.
struct UTF16Decoder {
  private let isBigEndian: Bool
  private var oddByte: UInt8?
  private var highSurrogate: UInt16?
  /// The number of invalid code units replaced with U+FFFD.
  private(set) var repairs = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func decode(_ piece: UnsafeRawBufferPointer, isLast: Bool, into result: ByteBuffer) {
    // A code unit, or its replacement, takes at most three bytes of UTF-8.
    result.reserve(piece.count / 2 * 3 + 12)
    for byte in piece {
      guard let first = oddByte else {
        oddByte = byte
        continue
      }
      oddByte = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      append(unit, to: result)
    }
    guard isLast else { return }
    if highSurrogate != nil || oddByte != nil { repair(result) }
    highSurrogate = nil
    oddByte = nil
  }

  private mutating func append(_ unit: UInt16, to result: ByteBuffer) {
    if let high = highSurrogate {
      highSurrogate = nil
      if UTF16.isTrailSurrogate(unit) {
        let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + UInt32(unit) - 0xDC00
        return result.append(scalar: value)
      }
      repair(result)
    }
    if UTF16.isLeadSurrogate(unit) {
      highSurrogate = unit
    } else if UTF16.isTrailSurrogate(unit) {
      repair(result)
    } else {
      result.append(scalar: UInt32(unit))
    }
  }

  private mutating func repair(_ result: ByteBuffer) {
    repairs += 1
    result.append(scalar: 0xFFFD)
  }
}

extension ByteBuffer {
  /// Appends a code point, which must not be a surrogate, as UTF-8.
  func append(scalar value: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift & 0x3F | 0x80) }
    switch value {
    case ..<0x80:
      append(UInt8(truncatingIfNeeded: value))
    case ..<0x800:
      append(UInt8(truncatingIfNeeded: value >> 6 | 0xC0))
      append(tail(0))
    case ..<0x10000:
      append(UInt8(truncatingIfNeeded: value >> 12 | 0xE0))
      append(tail(6))
      append(tail(0))
    default:
      append(UInt8(truncatingIfNeeded: value >> 18 | 0xF0))
      append(tail(12))
      append(tail(6))
      append(tail(0))
    }
  }
}
