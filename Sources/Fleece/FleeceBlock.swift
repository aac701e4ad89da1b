/// A block of Fleece data. Every access is checked against the bounds of the block.
///
/// A value is identified by its offset, which is even. The last two bytes of a block are its root: a value or a pointer
/// to one. A pointer refers to an earlier offset, and only the root pointer can refer to another pointer.
/// ``item(at:isWide:)`` rejects inline collections with items.
///
/// Values can still form cycles: the first item of an array at X is at X + 2, and a pointer there of distance 2 refers
/// to the array. A reader must limit the nesting depth and the number of steps.
///
/// | first byte | value |
/// |---|---|
/// | `0000iiii` | 12-bit integer, big-endian with the next byte |
/// | `0001uccc` | little-endian integer of ccc + 1 bytes; u: unsigned |
/// | `0010ss00` | 0: float; 1: double stored as a float; 2: double |
/// | `0011ss00` | null, false, true or undefined |
/// | `0100cccc` | string of cccc bytes; if cccc is 15, the length follows as a varint |
/// | `0101cccc` | binary data, with the same length encoding |
/// | `0110wccc` | array with an 11-bit count; w: items are four bytes wide instead of two |
/// | `0111wccc` | dictionary, with the same encoding; the count is the number of pairs |
/// | `1xoooooo` | pointer: distance / 2 in 14 bits, or in 30 bits in wide collections |
///
/// Source: <https://github.com/couchbase/fleece>, files Internal.hh and Pointer.hh.
struct FleeceBlock {
  let bytes: UnsafeRawBufferPointer

  /// An array or a dictionary.
  struct Items {
    /// The offset of the first item.
    let start: Int
    /// The number of items; in a dictionary, the number of pairs.
    let count: Int
    let isWide: Bool

    /// The size of an item in bytes.
    var width: Int { isWide ? 4 : 2 }
  }

  /// The kind of a value: the upper four bits of its first byte.
  enum Tag: UInt8 {
    case shortInteger, integer, float, special, text, data, array, dictionary
  }

  /// Returns the offset of the root; nil for an empty block.
  func root() throws(FleeceError) -> Int? {
    guard !bytes.isEmpty else { return nil }
    guard bytes.count % 2 == 0 else { throw .malformed("the block has an odd length", offset: bytes.count) }
    let last = bytes.count - 2
    guard isPointer(last) else { return last }
    let target = try target(of: last, isWide: false)
    // If the root value is too far away for a narrow pointer, the root is a narrow pointer to a wide pointer.
    guard isPointer(target) else { return target }
    let value = try self.target(of: target, isWide: true)
    guard !isPointer(value) else { throw .malformed("a pointer refers to a pointer", offset: target) }
    return value
  }

  /// Returns the offset of an item's value: that of the item itself, or the target of a pointer.
  func item(at offset: Int, isWide: Bool) throws(FleeceError) -> Int {
    guard isPointer(offset) else {
      // The items of an inline collection would follow it, and could point back to the enclosing collection.
      if bytes[offset] >= 0x60, (bytes[offset] & 0x07) | bytes[offset + 1] != 0 {
        throw .malformed("an inline collection has items", offset: offset)
      }
      return offset
    }
    let value = try target(of: offset, isWide: isWide)
    guard !isPointer(value) else { throw .malformed("a pointer refers to a pointer", offset: offset) }
    return value
  }

  /// Returns the kind of the value at an offset returned by ``root()`` or ``item(at:isWide:)``.
  func tag(_ offset: Int) throws(FleeceError) -> Tag {
    guard let tag = Tag(rawValue: bytes[offset] >> 4) else {
      throw .malformed("a pointer refers to a pointer", offset: offset)
    }
    return tag
  }

  /// Returns the items of an array or dictionary.
  func items(_ offset: Int) throws(FleeceError) -> Items {
    let isDictionary = bytes[offset] & 0x10 != 0
    let isWide = bytes[offset] & 0x08 != 0
    var count = Int(bytes[offset] & 0x07) << 8 | Int(bytes[offset + 1])
    var start = offset + 2
    if count == 2047 {
      let (more, length) = try varint(at: start)
      count += more
      start += length + length % 2
    }
    // Neither product overflows, because a varint is limited to the size of the block.
    let size = count * (isDictionary ? 2 : 1) * (isWide ? 4 : 2)
    guard start + size <= bytes.count else { throw .malformed("the items extend beyond the block", offset: offset) }
    return Items(start: start, count: count, isWide: isWide)
  }

  /// Returns the bytes of a string or a binary value.
  func content(_ offset: Int) throws(FleeceError) -> UnsafeRawBufferPointer {
    var count = Int(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 15 {
      let (length, size) = try varint(at: start)
      count = length
      start += size
    }
    guard start + count <= bytes.count else {
      throw .malformed("a string or binary value extends beyond the block", offset: offset)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
  }

  /// Returns the unsigned little-endian integer at an offset.
  func littleEndian(_ offset: Int, count: Int) throws(FleeceError) -> UInt64 {
    guard offset + count <= bytes.count else {
      throw .malformed("a number extends beyond the block", offset: offset)
    }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return value
  }

  private func isPointer(_ offset: Int) -> Bool { bytes[offset] & 0x80 != 0 }

  /// Returns the offset that a pointer refers to.
  private func target(of offset: Int, isWide: Bool) throws(FleeceError) -> Int {
    var distance: Int
    if isWide {
      guard offset + 4 <= bytes.count else { throw .malformed("a pointer extends beyond the block", offset: offset) }
      // The second-highest bit marks pointers to another block, which do not occur in documents. In blocks written
      // before this bit was introduced, it is part of the distance.
      distance = Int(bytes[offset] & 0x7F) << 24 | Int(bytes[offset + 1]) << 16
      distance |= Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
    } else {
      distance = Int(bytes[offset] & 0x7F) << 8 | Int(bytes[offset + 1])
    }
    distance *= 2
    guard distance > 0, distance <= offset else {
      throw .malformed("a pointer refers to an offset outside the block", offset: offset)
    }
    return offset - distance
  }

  /// Returns a varint and its length in bytes. Throws if the varint exceeds the size of the block.
  private func varint(at start: Int) throws(FleeceError) -> (value: Int, length: Int) {
    var value: UInt64 = 0
    for index in 0..<5 {
      guard start + index < bytes.count else { break }
      let byte = bytes[start + index]
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      guard byte & 0x80 != 0 else {
        guard value <= UInt64(bytes.count) else { break }
        return (Int(value), index + 1)
      }
    }
    throw .malformed("a length is larger than the block", offset: start)
  }
}
