/// A code point and its length in UTF-8.
struct DecodedScalar {
  var value: UInt32
  var length: Int

  /// The replacement for an invalid UTF-8 byte: U+FFFD separates words and is not part of one.
  static let invalid = DecodedScalar(value: 0xFFFD, length: 1)
}

/// Decodes the code point at `index`; never reads past `end`.
///
/// Overlong forms, surrogates and values beyond U+10FFFF are invalid (Unicode 15, table 3-7).
@inline(__always)
func decodeScalar(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> DecodedScalar {
  let first = bytes[index]
  if first < 0x80 { return DecodedScalar(value: UInt32(first), length: 1) }
  if first < 0xE0 {
    guard first >= 0xC2, index &+ 1 < end, bytes[index &+ 1] & 0xC0 == 0x80 else { return .invalid }
    return DecodedScalar(value: UInt32(first & 0x1F) << 6 | UInt32(bytes[index &+ 1] & 0x3F), length: 2)
  }
  if first < 0xF0 {
    guard index &+ 2 < end, bytes[index &+ 1] & 0xC0 == 0x80, bytes[index &+ 2] & 0xC0 == 0x80 else {
      return .invalid
    }
    let high = UInt32(first & 0x0F) << 12 | UInt32(bytes[index &+ 1] & 0x3F) << 6
    let value = high | UInt32(bytes[index &+ 2] & 0x3F)
    guard value >= 0x800, !(0xD800...0xDFFF).contains(value) else { return .invalid }
    return DecodedScalar(value: value, length: 3)
  }
  guard first < 0xF5, index &+ 3 < end, bytes[index &+ 1] & 0xC0 == 0x80, bytes[index &+ 2] & 0xC0 == 0x80,
    bytes[index &+ 3] & 0xC0 == 0x80
  else { return .invalid }
  let high = UInt32(first & 0x07) << 18 | UInt32(bytes[index &+ 1] & 0x3F) << 12
  let value = high | UInt32(bytes[index &+ 2] & 0x3F) << 6 | UInt32(bytes[index &+ 3] & 0x3F)
  guard (0x10000...0x10FFFF).contains(value) else { return .invalid }
  return DecodedScalar(value: value, length: 4)
}

/// Writes the UTF-8 form of a code point to `target` and returns its length.
@inline(__always)
func encodeScalar(_ value: UInt32, into target: UnsafeMutablePointer<UInt8>) -> Int {
  if value < 0x80 {
    target[0] = UInt8(value)
    return 1
  }
  if value < 0x800 {
    target[0] = 0xC0 | UInt8(value >> 6)
    target[1] = 0x80 | UInt8(value & 0x3F)
    return 2
  }
  if value < 0x10000 {
    target[0] = 0xE0 | UInt8(value >> 12)
    target[1] = 0x80 | UInt8(value >> 6 & 0x3F)
    target[2] = 0x80 | UInt8(value & 0x3F)
    return 3
  }
  target[0] = 0xF0 | UInt8(value >> 18)
  target[1] = 0x80 | UInt8(value >> 12 & 0x3F)
  target[2] = 0x80 | UInt8(value >> 6 & 0x3F)
  target[3] = 0x80 | UInt8(value & 0x3F)
  return 4
}

/// Returns the last character boundary at or before `index`; `index` itself if there is none after `start`.
func characterBoundary(_ bytes: UnsafePointer<UInt8>, notAfter index: Int, from start: Int) -> Int {
  var boundary = index
  // A code point has at most three continuation bytes. Text with more of them is invalid and may be split anywhere.
  while boundary > start, index - boundary < 3, bytes[boundary] & 0xC0 == 0x80 { boundary -= 1 }
  return boundary > start ? boundary : index
}
