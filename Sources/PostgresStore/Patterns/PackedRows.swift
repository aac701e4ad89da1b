/// Ascending rows in the Elias-Fano encoding: P. Elias, Efficient Storage and Retrieval by Content and Address of
/// Static Files, 1974. A row takes about two bits more than the binary logarithm of the average gap.
///
/// ```
/// rows  := block*
/// block := count - 1:u8  width:u8  gap:number  low bits{width * (count - 1)}  high bits
/// ```
///
/// `gap` is the difference between the first row of the block and the last one of the previous block, in groups of 7
/// bits, lowest first. The value of a later row is the number of rows between it and the first one that are not in the
/// list. The lowest `width` bits of the values are concatenated, lowest bits first, and padded to a whole byte. The
/// rest of a value, plus the number of its predecessors, is the number of a bit that is set among the high bits. Blocks
/// have their own widths, because the density of a list changes: similar documents follow each other.
enum PackedRows {
  /// The maximum number of rows of a block.
  private static let blockLength = 256
  /// A block ends before a larger gap, such as that between the rows of two shards, which would make all its rows
  /// longer.
  private static let largestGap: UInt32 = 1 << 20
  /// The size in bytes of the largest block, and of the word that is changed after its last bit.
  private static let bufferSize = 16 + blockLength * 4 + blockLength / 2 + 8

  /// Appends rows.
  ///
  /// - Returns: false if they do not ascend, which is only possible if they were read from damaged bytes.
  static func append(_ rows: [UInt32], to bytes: inout [UInt8]) -> Bool {
    rows.withUnsafeBufferPointer { append($0, to: &bytes) }
  }

  private static func append(_ rows: UnsafeBufferPointer<UInt32>, to bytes: inout [UInt8]) -> Bool {
    var (start, last) = (0, UInt32(0))
    while start < rows.count {
      var end = start + 1
      while end < rows.count, end - start < blockLength {
        guard rows[end] > rows[end - 1] else { return false }
        if rows[end] - rows[end - 1] > largestGap { break }
        end += 1
      }
      guard start == 0 || rows[start] > last else { return false }
      appendBlock(UnsafeBufferPointer(rebasing: rows[start..<end]), after: last, to: &bytes)
      last = rows[end - 1]
      start = end
    }
    return true
  }

  private static func appendBlock(_ rows: UnsafeBufferPointer<UInt32>, after last: UInt32, to bytes: inout [UInt8]) {
    let (first, count) = (rows[0], rows.count - 1)
    let largest = rows[count] &- first &- UInt32(truncatingIfNeeded: count)
    let average = count > 0 ? largest / UInt32(truncatingIfNeeded: count) : 0
    let width = average > 0 ? 31 - average.leadingZeroBitCount : 0
    bytes.append(UInt8(truncatingIfNeeded: count))
    bytes.append(UInt8(truncatingIfNeeded: width))
    bytes.appendNumber(first &- last)
    guard count > 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 8) { buffer in
      let highStart = (count * width + 7) / 8
      let size = highStart + (Int(largest >> UInt32(width)) + count + 7) / 8
      guard let start = buffer.baseAddress, size + 8 <= buffer.count else { return }
      start.initializeMemory(as: UInt8.self, repeating: 0, count: size + 8)
      let mask = UInt32(1) << UInt32(width) &- 1
      var position = 0
      for number in 0..<count {
        let value = rows[number + 1] &- first &- UInt32(truncatingIfNeeded: number + 1)
        let word = start.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
        start.storeBytes(
          of: word | UInt64(value & mask) << UInt64(position & 7), toByteOffset: position >> 3, as: UInt64.self)
        position &+= width
      }
      for number in 0..<count {
        let value = rows[number + 1] &- first &- UInt32(truncatingIfNeeded: number + 1)
        let bit = Int(value >> UInt32(width)) &+ number
        let byte = start.load(fromByteOffset: highStart + bit >> 3, as: UInt8.self)
        start.storeBytes(of: byte | 1 << UInt8(bit & 7), toByteOffset: highStart + bit >> 3, as: UInt8.self)
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: size))
    }
  }

  /// Returns the rows.
  ///
  /// - Throws: ``SegmentDamage`` if a block is truncated or the rows do not ascend.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws -> [UInt32] {
    var rows: [UInt32] = []
    rows.reserveCapacity(2 * bytes.count)
    try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: blockLength) { block in
      var (position, last) = (0, UInt32(0))
      while position < bytes.count {
        let count = try decodeBlock(bytes, &position, after: last, into: block)
        rows.append(contentsOf: UnsafeBufferPointer(rebasing: block[..<count]))
        last = block[count - 1]
      }
    }
    return rows
  }

  /// Decodes a block.
  ///
  /// - Returns: the number of its rows, at least one.
  private static func decodeBlock(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, after last: UInt32,
    into rows: UnsafeMutableBufferPointer<UInt32>
  ) throws -> Int {
    guard position + 3 <= bytes.count else { throw SegmentDamage.truncated }
    let (count, width) = (Int(bytes[position]), Int(bytes[position + 1]))
    position += 2
    guard width < 32 else { throw SegmentDamage.badNumber }
    guard let gap = number(bytes, &position) else { throw SegmentDamage.truncated }
    let first = last &+ gap
    guard first > last || last == 0 else { throw SegmentDamage.unordered }
    rows.initializeElement(at: 0, to: first)
    var (low, high) = (position, position + (count * width + 7) / 8)
    guard high <= bytes.count else { throw SegmentDamage.truncated }
    let mask = UInt64(1) << UInt64(width) &- 1
    low *= 8
    // The bits from `high` on that were not used yet, and the number of the first one after them.
    var (bits, next) = (word(bytes, high), 64)
    var previous = first
    for index in 0..<count {
      while bits == 0 {
        guard high + next / 8 < bytes.count else { throw SegmentDamage.truncated }
        bits = word(bytes, high + next / 8)
        next &+= 64
      }
      let bit = next &- 64 &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      let value = UInt32(truncatingIfNeeded: word(bytes, low >> 3) >> UInt64(low & 7) & mask)
      low &+= width
      // The bits before this one are those of the previous rows and the rest of the value.
      let distance = UInt32(truncatingIfNeeded: bit &- index) << UInt32(width) | value
      let row = first &+ distance &+ UInt32(truncatingIfNeeded: index + 1)
      guard row > previous else { throw SegmentDamage.unordered }
      rows.initializeElement(at: index + 1, to: row)
      previous = row
      if index == count - 1 { high += bit / 8 + 1 }
    }
    position = high
    return count + 1
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> UInt32? {
    var (value, shift): (UInt32, UInt32) = (0, 0)
    while position < bytes.count, shift < 35 {
      let byte = bytes[position]
      position += 1
      value |= UInt32(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// The eight bytes at a position, lowest first; 0 for those after the end.
  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    if position + 8 <= bytes.count {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
    var word: UInt64 = 0
    for offset in 0..<8 where position + offset < bytes.count {
      word |= UInt64(bytes[position + offset]) << UInt64(8 * offset)
    }
    return word
  }
}
