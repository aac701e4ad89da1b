import TextAnalysis

/// Reads the encoding of terms that `TokenBuffer` writes.
enum TermStream {
  /// A term that occurs in no text. It occupies the position between two strings of a column, so that no phrase spans
  /// them: FTS5 cannot skip a position.
  static let boundaryTerm: UInt8 = 0x7F
  /// The separator between two strings.
  static let boundary = [TokenBuffer.separator, boundaryTerm, TokenBuffer.separator]

  /// Returns the end of the term at an offset: the offset of the next separator, or the end of the stream.
  @inline(__always)
  static func termEnd(in stream: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    // Most terms are short, so eight bytes at a time are faster than a search in larger blocks.
    while end + 8 <= stream.count {
      let word = UInt64(littleEndian: stream.loadUnaligned(fromByteOffset: end, as: UInt64.self))
      let found = zeroBytes(word ^ separators) | zeroBytes(word ^ colocations)
      if found != 0 { return end + found.trailingZeroBitCount / 8 }
      end += 8
    }
    while end < stream.count, stream[end] != TokenBuffer.separator, stream[end] != TokenBuffer.colocation { end += 1 }
    return end
  }

  private static let lowBits: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static var separators: UInt64 { lowBits &* UInt64(TokenBuffer.separator) }
  private static var colocations: UInt64 { lowBits &* UInt64(TokenBuffer.colocation) }

  /// Returns a number whose lowest bit is in the first byte that is zero; 0 if no byte is zero. Bits in later bytes may
  /// be wrong. See "Bit Twiddling Hacks".
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- lowBits) & ~word & highBits }
}
