/// Lists of numbers of 32 bits in as few bits as the largest number of each 64 successive ones needs.
///
/// ```
/// list  := chunk*                          one per 64 numbers; the last may contain fewer
/// chunk := width:u8  bits{width * numbers} lowest bits first, padded to a whole byte
/// ```
enum BitPacking {
  private static let chunkLength = 64

  /// Appends a list.
  static func append(_ numbers: UnsafeBufferPointer<UInt32>, to bytes: inout [UInt8]) {
    var start = 0
    while start < numbers.count {
      let end = min(start + chunkLength, numbers.count)
      var all: UInt32 = 0
      for number in start..<end { all |= numbers[number] }
      let width = UInt64(32 - all.leadingZeroBitCount)
      bytes.append(UInt8(truncatingIfNeeded: width))
      var (bits, count): (UInt64, UInt64) = (0, 0)
      for number in start..<end where width > 0 {
        bits |= UInt64(numbers[number]) << count
        count += width
        while count >= 8 {
          bytes.append(UInt8(truncatingIfNeeded: bits))
          bits >>= 8
          count -= 8
        }
      }
      if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
      start = end
    }
  }

  /// Reads a list of known length.
  ///
  /// - Parameters:
  ///   - count: the number of numbers.
  ///   - numbers: memory for them.
  static func read(
    _ count: Int, from reader: inout PayloadReader, into numbers: UnsafeMutablePointer<UInt32>
  ) throws(SegmentDamage) {
    var start = 0
    while start < count {
      let length = min(chunkLength, count - start)
      let width = Int(try reader.byte())
      guard width <= 32 else { throw .badNumber }
      if width == 0 {
        (numbers + start).update(repeating: 0, count: length)
      } else {
        let isPadded = reader.count >= (width * length + 7) / 8 + 8
        let bits = try reader.bytes((width * length + 7) / 8)
        if isPadded {
          unpack(UnsafeRawBufferPointer(bits), width: width, length, into: numbers + start)
        } else {
          unpackSlowly(bits, width: UInt64(width), length, into: numbers + start)
        }
      }
      start += length
    }
  }

  /// Unpacks a chunk after which at least eight more bytes can be read.
  @inline(__always)
  private static func unpack(
    _ bits: UnsafeRawBufferPointer, width: Int, _ count: Int, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    guard let start = bits.baseAddress else { return }
    let mask = UInt64(1) << UInt64(width) &- 1
    var position = 0
    for number in 0..<count {
      let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self))
      numbers[number] = UInt32(truncatingIfNeeded: word >> UInt64(position & 7) & mask)
      position &+= width
    }
  }

  private static func unpackSlowly(
    _ bytes: UnsafeBufferPointer<UInt8>, width: UInt64, _ count: Int, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    let mask = UInt64(1) << width &- 1
    var (bits, known, next): (UInt64, UInt64, Int) = (0, 0, 0)
    for number in 0..<count {
      while known < width {
        bits |= UInt64(bytes[next]) << known
        next += 1
        known += 8
      }
      numbers[number] = UInt32(truncatingIfNeeded: bits & mask)
      bits >>= width
      known -= width
    }
  }
}
