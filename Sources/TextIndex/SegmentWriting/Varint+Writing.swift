extension UnsafeMutablePointer<UInt8> {
  /// Writes a varint of ``DoclistFormat``.
  ///
  /// - Returns: the number of bytes, 1 to 9.
  @inline(__always)
  func writeVarint(_ value: UInt64) -> Int {
    if value < 0x80 {
      self[0] = UInt8(truncatingIfNeeded: value)
      return 1
    }
    if value < 0x4000 {
      self[0] = UInt8(truncatingIfNeeded: value >> 7) | 0x80
      self[1] = UInt8(truncatingIfNeeded: value) & 0x7F
      return 2
    }
    return writeLongVarint(value)
  }

  @inline(never)
  private func writeLongVarint(_ value: UInt64) -> Int {
    if value >> 56 > 0 {
      self[8] = UInt8(truncatingIfNeeded: value)
      for number in 0..<8 { self[number] = UInt8(truncatingIfNeeded: value >> UInt64(50 + 7 - 7 * number)) | 0x80 }
      return 9
    }
    let count = (64 - value.leadingZeroBitCount + 6) / 7
    for number in 0..<count {
      self[number] = UInt8(truncatingIfNeeded: value >> UInt64(7 * (count - 1 - number))) | 0x80
    }
    self[count - 1] &= 0x7F
    return count
  }
}

extension [UInt8] {
  /// Appends a varint of ``DoclistFormat``.
  mutating func appendVarint(_ value: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { buffer in
      guard let start = buffer.baseAddress else { return }
      append(contentsOf: UnsafeBufferPointer(start: start, count: start.writeVarint(value)))
    }
  }
}

extension GrowableBuffer<UInt8> {
  /// Appends a varint of ``DoclistFormat``.
  @inline(__always)
  mutating func appendVarint(_ value: UInt64) { append(atMost: 9) { $0.writeVarint(value) } }
}

/// Returns the length of the varint at `bytes`, which must be complete.
@inline(__always)
func varintLength(_ bytes: UnsafePointer<UInt8>) -> Int {
  var count = 1
  while count < 9, bytes[count - 1] >= 0x80 { count += 1 }
  return count
}

extension UnsafePointer<UInt8> {
  /// Reads a varint of ``DoclistFormat``, which must be complete.
  @inline(__always)
  func readVarint() -> (value: UInt64, length: Int) {
    if self[0] < 0x80 { return (UInt64(self[0]), 1) }
    var value: UInt64 = 0
    for number in 0..<8 {
      value = value << 7 | UInt64(self[number] & 0x7F)
      if self[number] < 0x80 { return (value, number + 1) }
    }
    return (value << 8 | UInt64(self[8]), 9)
  }
}
