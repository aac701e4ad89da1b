extension WordFinder {
  /// How many edits a word of so many letters may have: one from 5 letters on, two from 9.
  static func edits(forLetters count: Int) -> Int { count < 5 ? 0 : count < 9 ? 1 : 2 }

  /// The words that may have been meant, the most likely first. The word itself is not among them.
  ///
  /// - Parameters:
  ///   - typed: a folded word.
  ///   - minimumEdits: how many edits are allowed at least. More are where the word, or the one that may have been meant, is
  ///     long enough for ``edits(forLetters:)``.
  ///   - keepingFirstLetter: whether words count only that begin with the same letter.
  ///   - takingNames: whether numbers and names of programs are words, too.
  ///   - columns: where the words must stand; nil for anywhere.
  ///   - limit: how many at most.
  func words(
    for typed: String, minimumEdits: Int = 0, keepingFirstLetter: Bool = false, takingNames: Bool = false,
    columns: [Int]? = nil, limit: Int
  ) throws -> [String] {
    let letters = Array(typed.unicodeScalars)
    // The word that was meant may be longer by the letters that are missing.
    let most = max(minimumEdits, WordFinder.edits(forLetters: letters.count + TypoAutomaton.maximumEdits))
    guard most > 0, let automaton = TypoAutomaton(letters, edits: most) else { return [] }
    var scored: [(term: String, score: Double)] = []
    let terms = try dictionary.terms(near: automaton)
    for neighbour in terms.neighbours(automaton) where neighbour.edits > 0 {
      let term = terms.text(neighbour.number)
      let word = Array(term.unicodeScalars)
      let allowed = max(minimumEdits, WordFinder.edits(forLetters: max(letters.count, word.count)))
      guard neighbour.edits <= allowed, takingNames || WordFinder.isWord(word),
        !keepingFirstLetter || word.first == letters.first
      else { continue }
      let frequency = terms.frequencies[neighbour.number]
      scored.append((term, TypoModel.score(word, typed: letters, frequency: frequency)))
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

  /// Whether a term is a word that people misspell: no number, and no name of a program.
  static func isWord(_ letters: [Unicode.Scalar]) -> Bool {
    letters.allSatisfy { $0 != "_" && $0.properties.numericType == nil }
  }
}
