import TextIndex

/// What a search did when no document had all the words as they were typed, or too few had all the words of a sentence: of five
/// words and more, ten documents must have all.
///
/// ```swift
/// let results = try pages.search("memroy barrier")
/// if let meant = results.didYouMean { print("Nothing found for that. Showing \(meant).") }   // memory barrier
/// ```
public struct SearchRelaxation: Hashable, Sendable {
  /// A word that took the place of a misspelt one.
  public struct Correction: Hashable, Sendable {
    /// The word as it was typed.
    public let typed: String
    /// The word of the index that was searched for.
    public let word: String
    /// The bytes of the typed word in the UTF-8 of the query.
    public let range: Range<Int>
  }

  /// The query that was searched for in the end.
  public let query: String
  /// The words that were replaced, in the order of the query. A word that documents have is replaced only if no document has all
  /// the words, and the other word is far more common and found near the next word of the query.
  public let corrections: [Correction]
  /// Whether documents need not have all the words. They come in the order of their scores alone; one that has more of the words
  /// nearly always scores higher, but no rule puts it first.
  public let matchesAnyWord: Bool
}

extension SearchRelaxation {
  init(_ query: String, _ corrections: [SpellingCorrection], matchesAnyWord: Bool) {
    self.query = query
    self.corrections = corrections.map { Correction(typed: $0.typed, word: $0.word, range: $0.range) }
    self.matchesAnyWord = matchesAnyWord
  }
}

extension SearchResults {
  /// Whether the hits are not only what was asked for literally, since that is nowhere, or hardly anywhere, to be found. See
  /// ``relaxation``.
  public var isRelaxed: Bool { relaxation != nil }

  /// The query with its misspelt words corrected, when that is what was searched for; nil otherwise.
  public var didYouMean: String? { relaxation.flatMap { $0.corrections.isEmpty ? nil : $0.query } }
}
