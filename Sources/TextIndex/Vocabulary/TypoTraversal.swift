/// Searches terms in byte order, and reuses the automaton's states for the prefix that a term shares with its
/// predecessor.
struct TypoTraversal {
  private let search: TypoSearch
  /// The automaton's states after prefixes of the last term that end with a complete letter, shortest first. There are
  /// at most as many as the automaton reads before it rejects a term.
  private var states: [(length: Int, state: LevenshteinAutomaton.State)] = []

  init(_ search: TypoSearch) { self.search = search }

  /// Returns whether a term is accepted.
  ///
  /// - Parameters:
  ///   - sharedLength: the number of bytes that the term shares with the last bytes that were passed to a method.
  ///   - rejectedLength: set to the length of the shortest prefix with which no term is accepted; `Int.max` if there is
  ///     none, or if it ends within a letter.
  /// - Complexity: O(n) in the number of letters after the shared prefix.
  mutating func accepts(_ term: UnsafeBufferPointer<UInt8>, sharedLength: Int, rejectedLength: inout Int) -> Bool {
    guard let state = state(after: term, isWhole: true, sharedLength, &rejectedLength) else { return false }
    return search.automaton.edits(at: state).map { search.accepts(term, edits: $0) } ?? false
  }

  /// Returns whether a term that begins with these bytes can be accepted. An incomplete letter at the end is ignored.
  /// The parameters are those of ``accepts(_:sharedLength:rejectedLength:)``.
  mutating func canAccept(
    beginning: UnsafeBufferPointer<UInt8>, sharedLength: Int, rejectedLength: inout Int
  ) -> Bool {
    state(after: beginning, isWhole: false, sharedLength, &rejectedLength) != nil
  }

  /// Returns the state after a term, or after the complete letters of a prefix; nil if it is rejected.
  @inline(__always)
  private mutating func state(
    after bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ sharedLength: Int, _ rejectedLength: inout Int
  ) -> LevenshteinAutomaton.State? {
    rejectedLength = .max
    while let last = states.last, last.length > sharedLength { states.removeLast() }
    var position = states.last?.length ?? 0
    var state = states.last?.state ?? search.automaton.start
    // An incomplete letter may be complete in the next term, so the states after it are not reused.
    var isComplete = true
    while position < bytes.count, isWhole || bytes.hasWholeLetter(at: position) {
      let (letter, length) = bytes.letter(at: position)
      state = search.automaton.step(state, letter)
      position += length
      if letter >= 1 << 24 { isComplete = false }
      if search.rejects(state, after: bytes, position) {
        if isComplete { rejectedLength = position }
        return nil
      }
      if isComplete { states.append((position, state)) }
    }
    return state
  }
}
