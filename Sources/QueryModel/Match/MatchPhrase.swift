/// A word, or several that must follow each other: the leaf of a ``MatchQuery``.
///
/// | text | parts | |
/// |---|---|---|
/// | `red` | `red` | ``isBareWord`` |
/// | `"red shoe"` | `"red shoe"` | |
/// | `red + "large shoe"` | `red`, `"large shoe"` | the words of all parts follow each other |
/// | `sho*` | `sho` | ``isPrefix`` |
/// | `^red` | `red` | ``isInitial`` |
///
/// The text of a part is what was written, before any analysis. A bare word such as `tcp/ip` may hold several
/// tokens; they then form a phrase, as in FTS5.
public struct MatchPhrase: Hashable, Sendable {
  /// The parts in order. No part of a parsed query has an empty text.
  public var parts: [Part]
  /// Whether the phrase must stand at the very beginning of a field: `^red`.
  public var isInitial: Bool

  public init(_ parts: [Part], isInitial: Bool = false) {
    self.parts = parts
    self.isInitial = isInitial
  }

  /// A bare word: dropped if it is a stop word, and expanded with its synonyms.
  public static func word(_ text: String, isPrefix: Bool = false, span: SourceSpan? = nil) -> MatchPhrase {
    MatchPhrase([Part(text, isPrefix: isPrefix, span: span)])
  }

  /// A quoted phrase, searched for exactly as it is.
  public static func quoted(_ text: String, isPrefix: Bool = false, span: SourceSpan? = nil) -> MatchPhrase {
    MatchPhrase([Part(text, isQuoted: true, isPrefix: isPrefix, span: span)])
  }

  /// Whether the last token of the phrase is only the beginning of a word: `sho*`.
  ///
  /// FTS5 also takes `*` after a part that is not the last; ask such a part for its own ``Part/isPrefix``.
  public var isPrefix: Bool { parts.last?.isPrefix ?? false }

  /// Whether the phrase is one word without quotes. Only such words are subject to stop words and synonyms.
  public var isBareWord: Bool { parts.count == 1 && !parts[0].isQuoted }

  /// Whether the phrase is a word that is also wanted with a typing error in it.
  public var isApproximate: Bool { parts.count == 1 && parts[0].isApproximate }

  /// Where the phrase stood in the text, without its `^` and `*`; nil when it was not parsed.
  public var span: SourceSpan? {
    let spans = parts.compactMap(\.span)
    return spans.first.map { spans.reduce($0) { $0.union($1) } }
  }

  /// One operand of `+`.
  public struct Part: Sendable {
    public var text: String
    public var isQuoted: Bool
    /// Whether the last token of this part is only the beginning of a word.
    public var isPrefix: Bool
    /// Whether words that differ from this one by a typing error are wanted as well: `shoo~` in a search box.
    public var isApproximate = false
    /// Whether the second of its quotation marks is missing, in a search box: it may be meant as words, and is taken for these
    /// where no document has the phrase.
    public var isUnclosed = false
    /// Where the part stood in the text, quotation marks included; nil when it was not parsed.
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

/// Two parts are equal when they ask for the same; where they stood in a text does not matter.
extension MatchPhrase.Part: Hashable {
  public static func == (one: Self, other: Self) -> Bool {
    one.text == other.text && one.isQuoted == other.isQuoted && one.isPrefix == other.isPrefix
      && one.isApproximate == other.isApproximate && one.isUnclosed == other.isUnclosed
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(isQuoted)
    hasher.combine(isPrefix)
    hasher.combine(isApproximate)
    hasher.combine(isUnclosed)
  }
}
