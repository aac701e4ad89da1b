/// Three bytes of UTF-8 that follow each other, ASCII letters in lower case: what a pattern index holds of a text.
///
/// Bytes and not characters, so that text of every script, and what is no UTF-8, goes the same way.
public struct Trigram: Hashable, Comparable, Sendable {
  /// The three bytes, the first one highest.
  public let rawValue: UInt32

  /// A trigram of the lower 24 bits. They are taken as they are.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

  /// The trigram of three bytes, ASCII letters in either case.
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

  /// Whether an index holds trigrams such as this one. Those with U+0000 are left out, since FTS5 takes terms as C strings, and
  /// those with a line end, since few patterns reach across lines: 7 % of the trigrams of source code, 10 % of those of prose.
  ///
  /// A query never asks for them.
  public var isIndexed: Bool { bytes.allSatisfy(Trigram.isIndexed) }

  /// By bytes, as unsigned numbers.
  public static func < (one: Trigram, other: Trigram) -> Bool { one.rawValue < other.rawValue }

  static func isIndexed(_ byte: UInt8) -> Bool { byte != 0 && byte != 0x0A && byte != 0x0D }

  /// The byte as an index holds it. Nothing but ASCII, so that every text can be indexed without knowing its language; what
  /// else has two cases is for queries to spell out.
  static func fold(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
