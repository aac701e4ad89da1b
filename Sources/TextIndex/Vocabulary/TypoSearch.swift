/// Selects the terms that the user may have meant by a misspelled word.
///
/// The first letter of a word is rarely wrong (Pollock and Zamora, see ``SpellingErrorModel``). If one of two edits
/// could change the first letter, nearly every prefix would match, and most leaves that a search reads would contain
/// only terms with another first letter.
package struct TypoSearch {
  /// Which terms are accepted if their first letter differs from that of the word.
  enum FirstLetter {
    /// All terms.
    case any
    /// Terms with one edit, and terms with two edits that begin with the first two letters transposed.
    case keptByTwoEdits
    /// No terms.
    case kept
  }

  /// A search, as the key of a cache.
  struct Key: Hashable {
    let word: [Unicode.Scalar]
    let edits: Int
    let extraLetters: UInt64
    let firstLetter: FirstLetter
    let includesNames: Bool
  }

  let automaton: LevenshteinAutomaton
  private let firstLetter: FirstLetter
  /// Whether terms with digits or underscores are accepted, which word lists do not contain.
  let includesNames: Bool
  /// What the accepted terms depend on.
  let key: Key
  /// The prefixes of the terms whose first letter counts as unchanged.
  private let beginnings: [[UInt8]]

  /// - Parameter minimumLength: the minimum number of letters of a term with two edits.
  /// - Returns: nil if the word is empty or too long for an automaton.
  init?(
    _ word: [Unicode.Scalar], edits: Int, minimumLengthWithTwoEdits minimumLength: Int = 0, firstLetter: FirstLetter,
    includesNames: Bool = true
  ) {
    guard
      let automaton = LevenshteinAutomaton(word, edits: edits, minimumLengthWithTwoEdits: minimumLength)
    else { return nil }
    (self.automaton, self.firstLetter, self.includesNames) = (automaton, firstLetter, includesNames)
    key = Key(
      word: word, edits: automaton.edits, extraLetters: automaton.extraLetters, firstLetter: firstLetter,
      includesNames: includesNames)
    func bytes(_ letters: some Sequence<Unicode.Scalar>) -> [UInt8] {
      Array(String(String.UnicodeScalarView(letters)).utf8)
    }
    let isSwapped = firstLetter == .keptByTwoEdits && word.count > 1
    beginnings = [bytes(word.prefix(1))] + (isSwapped ? [bytes(word.prefix(2).reversed())] : [])
  }

  /// Returns whether a term that begins with these bytes can be accepted. An incomplete letter at the end is ignored.
  package func canAccept(beginning: ArraySlice<UInt8>) -> Bool {
    var traversal = TypoTraversal(self)
    var rejectedLength = Int.max
    return beginning.withUnsafeBufferPointer {
      traversal.canAccept(beginning: $0, sharedLength: 0, rejectedLength: &rejectedLength)
    }
  }

  /// Returns whether no term with a prefix is accepted.
  ///
  /// A term with another first letter may have only one edit, so the states with two edits do not count for it.
  ///
  /// - Parameters:
  ///   - state: the automaton's state after the prefix.
  ///   - bytes: a term.
  ///   - length: the length of the prefix.
  @inline(__always)
  func rejects(_ state: LevenshteinAutomaton.State, after bytes: UnsafeBufferPointer<UInt8>, _ length: Int) -> Bool {
    if state.isDead { return true }
    return switch firstLetter {
    case .any: false
    case .kept: !mayKeepFirstLetter(bytes, length)
    case .keptByTwoEdits: state.isDeadWithOneEdit && !mayKeepFirstLetter(bytes, length)
    }
  }

  /// Returns whether a term that the automaton accepts with this number of edits is accepted.
  func accepts(_ term: some Collection<UInt8>, edits: Int) -> Bool {
    guard includesNames || WordListFormat.contains(term) else { return false }
    return switch firstLetter {
    case .any: true
    case .kept: keepsFirstLetter(term)
    case .keptByTwoEdits: edits < 2 || keepsFirstLetter(term)
    }
  }

  private func keepsFirstLetter(_ term: some Collection<UInt8>) -> Bool {
    beginnings.contains { term.starts(with: $0) }
  }

  private func mayKeepFirstLetter(_ bytes: UnsafeBufferPointer<UInt8>, _ length: Int) -> Bool {
    beginnings.contains { beginning in
      (0..<min(length, beginning.count)).allSatisfy { beginning[$0] == bytes[$0] }
    }
  }
}
