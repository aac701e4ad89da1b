import Foundation

extension PostingsHash {
  /// Returns the hash of a term whose first eight bytes are `beginning`.
  @inline(__always)
  static func hash(_ term: UnsafeRawBufferPointer, _ beginning: UInt64) -> UInt32 {
    // Multiplication by 2^64 / φ (Knuth, TAOCP 6.4), eight bytes at a time. The highest bits of the product depend on
    // all bytes, so these select the slot.
    let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
    var hash = (beginning ^ UInt64(term.count)) &* factor
    var position = 8
    while position < term.count {
      // The last eight bytes may overlap the previous eight.
      let start = min(position, term.count - 8)
      hash = (hash ^ hash >> 32 ^ term.loadUnaligned(fromByteOffset: start, as: UInt64.self)) &* factor
      position += 8
    }
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  /// Returns whether a term equals an entry's term, given that their first eight bytes are the same.
  @inline(__always)
  static func isTerm(_ term: UnsafeRawBufferPointer, of entry: Entry) -> Bool {
    guard Int(entry.termLength) == term.count else { return false }
    guard term.count > 8, let start = term.baseAddress else { return true }
    return memcmp(start + 8, entry.term + 8, term.count - 8) == 0
  }

  /// Returns the first eight bytes of a term as a number. Terms with different numbers sort in the order of these
  /// numbers.
  @inline(__always)
  static func beginning(of term: UnsafeRawBufferPointer) -> UInt64 {
    let count = term.count
    if count >= 8 { return UInt64(bigEndian: term.loadUnaligned(as: UInt64.self)) }
    if count >= 4 {
      // The parts may overlap, with the same bytes.
      let first = UInt64(UInt32(bigEndian: term.loadUnaligned(as: UInt32.self)))
      let last = UInt64(UInt32(bigEndian: term.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
      return first << 32 | last << UInt64(64 - 8 * count)
    }
    var value: UInt64 = 0
    for number in 0..<count { value |= UInt64(term[number]) << UInt64(56 - 8 * number) }
    return value
  }
}
