/// One term of a text: its location in ``TokenBuffer/stream``, and the bytes of the text that it comes from.
///
/// All offsets are in bytes. `start` and `end` count from the beginning of the text passed to
/// ``Tokenizer/tokenize(_:into:)`` and are always character boundaries.
public struct Token: Hashable, Sendable {
  public var termStart: UInt32
  public var start: UInt32
  public var end: UInt32
  public var termLength: UInt16
  var kind: Kind

  /// Whether the token has the same position as its predecessor: a stem after its surface form, or a whole identifier
  /// after its first part.
  public var isColocated: Bool { kind.contains(.colocated) }

  /// Properties of a token that queries need.
  struct Kind: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let colocated = Kind(rawValue: 1)
    static let stem = Kind(rawValue: 2)
    /// A whole identifier that has several parts, or one part that differs from it.
    static let identifier = Kind(rawValue: 4)
    /// A part of an identifier.
    static let part = Kind(rawValue: 8)
    /// Two characters of a run of Han or Kana.
    static let bigram = Kind(rawValue: 16)
    /// The last character of a run of two or more.
    static let runEnd = Kind(rawValue: 32)
    /// A run of one character.
    static let singleCharacter = Kind(rawValue: 64)
  }
}
