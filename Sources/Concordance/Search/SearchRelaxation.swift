import TextIndex

/// The corrections and the relaxation of a query for which no document contains all words as typed. A query of three
/// words or more is also relaxed if fewer than ten documents contain all of them.
///
/// If fewer than 1,000 documents contain all words of a query of three words or more, documents with only some of the
/// words follow the others. This is not reported if at least ten documents contain all words.
///
/// ```swift
/// let results = try pages.search("memroy barrier")
/// if let meant = results.didYouMean { print("Nothing found for that. Showing \(meant).") }   // memory barrier
/// ```
public struct SearchRelaxation: Hashable, Sendable {
  /// A misspelt word and its replacement.
  public struct Correction: Hashable, Sendable {
    /// The word as it was typed.
    public let typed: String
    /// The word of the index that was searched for instead.
    public let word: String
    /// The range of the typed word in the UTF-8 of the query, in bytes.
    public let range: Range<Int>
  }

  /// The query that was searched for.
  public let query: String
  /// The replaced words, in the order of the query. A word that documents contain is replaced only if no document
  /// contains all words, and the replacement is far more common and occurs near the next word of the query.
  public let corrections: [Correction]
  /// Whether fewer than ten documents contain all words, so that documents with some of them match as well. All hits
  /// are sorted by score only: a document with more of the words nearly always, but not necessarily, has a higher
  /// score.
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
  /// Whether the query was corrected or relaxed. See ``relaxation``.
  public var isRelaxed: Bool { relaxation != nil }

  /// The query with its misspelt words corrected, if the search used it; nil otherwise.
  public var didYouMean: String? { relaxation.flatMap { $0.corrections.isEmpty ? nil : $0.query } }
}
