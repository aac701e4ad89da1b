import DocumentStore

extension WordFinder {
  /// Returns the maximum number of edits of a word with this number of letters: one for 5 to 8, two for 9 or more.
  static func edits(forLetters count: Int) -> Int { count < 5 ? 0 : count < lettersForTwoEdits ? 1 : 2 }

  /// The minimum number of letters of the typed or the intended word for two edits.
  private static let lettersForTwoEdits = 9

  /// Returns the words that may have been meant, likeliest first, without the word itself.
  ///
  /// - Parameters:
  ///   - typed: a folded word.
  ///   - minimumEdits: the number of edits that is always allowed. More are allowed if the word, or the one that may
  ///     have been meant, is long enough for ``edits(forLetters:)``.
  ///   - maximumEdits: the maximum number of edits.
  ///   - firstLetter: which words with another first letter are accepted.
  ///   - includingNames: whether numbers and identifiers are accepted.
  ///   - columns: the columns that must contain the words; nil for any.
  ///   - limit: the maximum number of words.
  func words(
    for typed: String, minimumEdits: Int = 0, maximumEdits: Int = LevenshteinAutomaton.maximumEdits,
    firstLetter: TypoSearch.FirstLetter, includingNames: Bool = false, columns: [Int]? = nil, limit: Int
  ) throws -> [String] {
    let letters = Array(typed.unicodeScalars)
    // The intended word is longer if letters are missing.
    let most = min(
      maximumEdits, max(minimumEdits, WordFinder.edits(forLetters: letters.count + LevenshteinAutomaton.maximumEdits)))
    // Two edits are allowed in all words, or in those that are long enough for them.
    let minimumLength = minimumEdits > 1 ? 0 : WordFinder.lettersForTwoEdits
    guard most > 0,
      let search = TypoSearch(
        letters, edits: most, minimumLengthWithTwoEdits: minimumLength, firstLetter: firstLetter,
        includesNames: includingNames)
    else { return [] }
    var scored: [(term: String, score: Double)] = []
    let terms = try dictionary.terms(acceptedBy: search)
    let neighbours = terms.matches(search)
    // The search may have ended early.
    try LongCall.check()
    for neighbour in neighbours where neighbour.edits > 0 {
      let term = terms.text(neighbour.number)
      let word = Array(term.unicodeScalars)
      let allowed = max(minimumEdits, WordFinder.edits(forLetters: max(letters.count, word.count)))
      guard neighbour.edits <= allowed || WordFinder.isShortSwap(letters, of: word),
        includingNames || WordFinder.isWord(word)
      else { continue }
      let frequency = terms.frequencies[neighbour.number]
      scored.append((term, SpellingErrorModel.score(word, typed: letters, frequency: frequency)))
    }
    scored.sort { ($0.score, $1.term) > ($1.score, $0.term) }
    var words: [String] = []
    for candidate in scored where words.count < limit {
      guard try counter.documentFrequency(candidate.term, columns: columns) > 0,
        try surfaceForms.contains(Array(candidate.term.utf8))
      else { continue }
      words.append(candidate.term)
    }
    return words
  }

  /// Returns whether two adjacent letters are transposed in a word of four letters: `lsit`. Other edits turn most of
  /// these words into different words.
  private static func isShortSwap(_ typed: [Unicode.Scalar], of word: [Unicode.Scalar]) -> Bool {
    typed.count == 4 && SpellingErrorModel.isSwap(typed, of: word)
  }

  /// Returns whether a term is a word that people misspell: neither a number nor an identifier. All such terms are in
  /// word lists.
  static func isWord(_ letters: [Unicode.Scalar]) -> Bool {
    letters.allSatisfy { $0 != "_" && $0.properties.numericType == nil }
  }
}
