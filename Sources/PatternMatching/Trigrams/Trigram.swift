/// Three consecutive bytes of UTF-8 with ASCII letters in lower case: a term of a pattern index.
///
/// Trigrams consist of bytes, not characters, so that all scripts and invalid UTF-8 are handled in the same way.
public struct Trigram: Hashable, Comparable, Sendable {
  /// The three bytes, the first one most significant.
  public let rawValue: UInt32

  /// Creates a trigram from the lower 24 bits, without folding.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

  /// Creates the trigram of three bytes, folding ASCII letters.
  public init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    let (first, second, third) = (Trigram.fold(first), Trigram.fold(second), Trigram.fold(third))
    rawValue = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// The bytes, in order.
  public var bytes: [UInt8] {
    [
      UInt8(truncatingIfNeeded: rawValue >> 16), UInt8(truncatingIfNeeded: rawValue >> 8),
      UInt8(truncatingIfNeeded: rawValue),
    ]
  }

  /// Whether indexes contain this trigram. Trigrams with U+0000 are omitted because FTS5 handles terms as C strings.
  /// Trigrams with a line end, 7 % of the trigrams of source code and 10 % of those of prose, are omitted because few
  /// patterns cross lines.
  ///
  /// Queries never contain the omitted trigrams.
  public var isIndexed: Bool { bytes.allSatisfy(Trigram.isIndexed) }

  /// Compares the bytes as unsigned numbers.
  public static func < (one: Trigram, other: Trigram) -> Bool { one.rawValue < other.rawValue }

  static func isIndexed(_ byte: UInt8) -> Bool { byte != 0 && byte != 0x0A && byte != 0x0D }

  /// Returns the indexed form of a byte. Only ASCII letters are folded, so that text can be indexed without knowing its
  /// language; queries list the case variants of other letters.
  static func fold(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
