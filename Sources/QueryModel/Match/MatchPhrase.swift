/// A word, or several consecutive words: the leaf of a ``MatchQuery``.
///
/// | text | parts | |
/// |---|---|---|
/// | `red` | `red` | ``isBareWord`` |
/// | `"red shoe"` | `"red shoe"` | |
/// | `red + "large shoe"` | `red`, `"large shoe"` | the words of all parts are consecutive |
/// | `sho*` | `sho` | ``isPrefix`` |
/// | `^red` | `red` | ``isInitial`` |
///
/// The text of a part is unanalyzed. A bare word such as `tcp/ip` may contain several tokens; they then form a phrase,
/// as in FTS5.
public struct MatchPhrase: Hashable, Sendable {
  /// The parts in order. No part of a parsed query has an empty text.
  public var parts: [Part]
  /// Whether the phrase matches only at the beginning of a field: `^red`.
  public var isInitial: Bool

  public init(_ parts: [Part], isInitial: Bool = false) {
    self.parts = parts
    self.isInitial = isInitial
  }

  /// Creates a bare word: ignored if it is a stop word, and expanded with its synonyms.
  public static func word(_ text: String, isPrefix: Bool = false, span: SourceSpan? = nil) -> MatchPhrase {
    MatchPhrase([Part(text, isPrefix: isPrefix, span: span)])
  }

  /// Creates a quoted phrase, which is neither dropped as a stop word nor expanded with synonyms.
  public static func quoted(_ text: String, isPrefix: Bool = false, span: SourceSpan? = nil) -> MatchPhrase {
    MatchPhrase([Part(text, isQuoted: true, isPrefix: isPrefix, span: span)])
  }

  /// Whether the last token of the phrase is a prefix: `sho*`.
  ///
  /// FTS5 also allows `*` after a part that is not the last; see ``Part/isPrefix``.
  public var isPrefix: Bool { parts.last?.isPrefix ?? false }

  /// Whether the phrase is one word without quotes. Stop words and synonyms apply only to such words.
  public var isBareWord: Bool { parts.count == 1 && !parts[0].isQuoted }

  /// Whether the phrase is a word that also matches words that differ from it by a typo.
  public var isFuzzy: Bool { parts.count == 1 && parts[0].isFuzzy }

  /// The range of the phrase in the text, without its `^` and `*`; nil if it was not parsed.
  public var span: SourceSpan? {
    let spans = parts.compactMap(\.span)
    return spans.first.map { spans.reduce($0) { $0.union($1) } }
  }

  /// One operand of `+`.
  public struct Part: Sendable {
    public var text: String
    public var isQuoted: Bool
    /// Whether the last token of this part is a prefix.
    public var isPrefix: Bool
    /// Whether words that differ from this one by a typo match as well: `shoo~` in a search box.
    public var isFuzzy = false
    /// Whether the closing quotation mark is missing, in a search box. The text may be meant as separate words, and is
    /// searched for as such if no document contains the phrase.
    public var isUnclosed = false
    /// The range of the part in the text, quotation marks included; nil if it was not parsed.
    public var span: SourceSpan?

    public init(
      _ text: String, isQuoted: Bool = false, isPrefix: Bool = false, span: SourceSpan? = nil
    ) {
      self.text = text
      self.isQuoted = isQuoted
      self.isPrefix = isPrefix
      self.span = span
    }
  }
}

/// Two parts are equal if they match the same text; their spans are ignored.
extension MatchPhrase.Part: Hashable {
  public static func == (one: Self, other: Self) -> Bool {
    one.text == other.text && one.isQuoted == other.isQuoted && one.isPrefix == other.isPrefix
      && one.isFuzzy == other.isFuzzy && one.isUnclosed == other.isUnclosed
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(isQuoted)
    hasher.combine(isPrefix)
    hasher.combine(isFuzzy)
    hasher.combine(isUnclosed)
  }
}
