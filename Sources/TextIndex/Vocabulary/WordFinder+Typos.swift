extension WordFinder {
  /// How many edits a word of so many letters may have: one from 5 letters on, two from 9.
  static func edits(forLetters count: Int) -> Int { count < 5 ? 0 : count < 9 ? 1 : 2 }

  /// The words that may have been meant, the most likely first. The word itself is not among them.
  ///
  /// - Parameters:
  ///   - typed: a folded word.
  ///   - minimumEdits: how many edits are allowed at least. More are where the word, or the one that may have been
  ///     meant, is long enough for ``edits(forLetters:)``.
  ///   - maximumEdits: how many are allowed at most.
  ///   - firstLetter: which words count that begin with another letter.
  ///   - takingNames: whether numbers and names of programs are words, too.
  ///   - columns: the columns that must contain the words; nil for any.
  ///   - limit: how many at most.
  func words(
    for typed: String, minimumEdits: Int = 0, maximumEdits: Int = LevenshteinAutomaton.maximumEdits,
    firstLetter: TypoSearch.FirstLetter, takingNames: Bool = false, columns: [Int]? = nil, limit: Int
  ) throws -> [String] {
    let letters = Array(typed.unicodeScalars)
    // The word that was meant may be longer by the letters that are missing.
    let most = min(
      maximumEdits, max(minimumEdits, WordFinder.edits(forLetters: letters.count + LevenshteinAutomaton.maximumEdits)))
    guard most > 0, let search = TypoSearch(letters, edits: most, firstLetter: firstLetter) else { return [] }
    var scored: [(term: String, score: Double)] = []
    let terms = try dictionary.terms(acceptedBy: search)
    for neighbour in terms.neighbours(search.automaton) where neighbour.edits > 0 {
      guard search.accepts(terms.bytes[terms.range(neighbour.number)], edits: neighbour.edits) else { continue }
      let term = terms.text(neighbour.number)
      let word = Array(term.unicodeScalars)
      let allowed = max(minimumEdits, WordFinder.edits(forLetters: max(letters.count, word.count)))
      guard neighbour.edits <= allowed || WordFinder.isShortSwap(letters, of: word),
        takingNames || WordFinder.isWord(word)
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

  /// Whether two neighbours are swapped in a word of four letters: `lsit`. Any other edit makes another word of most of
  /// these.
  private static func isShortSwap(_ typed: [Unicode.Scalar], of word: [Unicode.Scalar]) -> Bool {
    typed.count == 4 && SpellingErrorModel.isSwap(typed, of: word)
  }

  /// Whether a term is a word that people misspell: no number, and no name of a program.
  static func isWord(_ letters: [Unicode.Scalar]) -> Bool {
    letters.allSatisfy { $0 != "_" && $0.properties.numericType == nil }
  }
}
