/// Selects the terms that the user may have meant by a misspelled word.
///
/// The first letter of a word is rarely wrong (Pollock and Zamora, see ``SpellingErrorModel``). If one of two edits
/// could change the first letter, nearly every prefix would match, and most leaves that a search reads would contain
/// only terms with another first letter.
struct TypoSearch {
  /// Which terms are accepted if their first letter differs from that of the word.
  enum FirstLetter {
    /// All terms.
    case any
    /// Terms with one edit, and terms with two edits that begin with the first two letters transposed.
    case keptByTwoEdits
    /// No terms.
    case kept
  }

  let automaton: LevenshteinAutomaton
  private let single: LevenshteinAutomaton
  private let firstLetter: FirstLetter
  /// The prefixes of the terms whose first letter counts as unchanged.
  private let beginnings: [[UInt8]]

  /// - Returns: nil if the word is empty or too long for an automaton.
  init?(_ word: [Unicode.Scalar], edits: Int, firstLetter: FirstLetter) {
    guard let automaton = LevenshteinAutomaton(word, edits: edits),
      let single = LevenshteinAutomaton(word, edits: min(edits, 1))
    else { return nil }
    (self.automaton, self.single, self.firstLetter) = (automaton, single, firstLetter)
    func bytes(_ letters: some Sequence<Unicode.Scalar>) -> [UInt8] {
      Array(String(String.UnicodeScalarView(letters)).utf8)
    }
    let isSwapped = firstLetter == .keptByTwoEdits && word.count > 1
    beginnings = [bytes(word.prefix(1))] + (isSwapped ? [bytes(word.prefix(2).reversed())] : [])
  }

  /// Returns whether a term that begins with these bytes can be accepted.
  func canAccept(beginning: ArraySlice<UInt8>) -> Bool {
    switch firstLetter {
    case .any: automaton.canAccept(beginning: beginning)
    case .kept: mayKeepFirstLetter(beginning) && automaton.canAccept(beginning: beginning)
    case .keptByTwoEdits:
      single.canAccept(beginning: beginning)
        || mayKeepFirstLetter(beginning) && automaton.canAccept(beginning: beginning)
    }
  }

  /// Returns whether a term that the automaton accepts with this number of edits is accepted.
  func accepts(_ term: some Collection<UInt8>, edits: Int) -> Bool {
    switch firstLetter {
    case .any: true
    case .kept: keepsFirstLetter(term)
    case .keptByTwoEdits: edits < 2 || keepsFirstLetter(term)
    }
  }

  /// Returns whether a whole term is accepted.
  ///
  /// - Parameter rejectedLength: Set to the length of the shortest prefix with which no term is accepted; `Int.max` if
  ///   there is none, or if it ends within a letter.
  @inline(__always)
  func accepts(_ term: UnsafeBufferPointer<UInt8>, rejectedLength: inout Int) -> Bool {
    rejectedLength = .max
    var (state, position) = (automaton.start, 0)
    while position < term.count {
      let (letter, length) = term.letter(at: position)
      state = automaton.step(state, letter)
      position += length
      if state.isDead {
        // An incomplete letter may be complete in the next term.
        if letter < 1 << 24 { rejectedLength = position }
        return false
      }
    }
    return automaton.edits(at: state).map { accepts(term, edits: $0) } ?? false
  }

  private func keepsFirstLetter(_ term: some Collection<UInt8>) -> Bool {
    beginnings.contains { term.starts(with: $0) }
  }

  private func mayKeepFirstLetter(_ beginning: ArraySlice<UInt8>) -> Bool {
    beginnings.contains { zip($0, beginning).allSatisfy { $0 == $1 } }
  }
}
