/// Decides, letter by letter, whether a string can still be within a number of edits of a word.
///
/// An edit is an extra, missing or wrong letter, or a transposition of two adjacent letters, and no letter is edited
/// twice (optimal string alignment distance). It is the automaton of Wu and Manber ("Fast text searching allowing
/// errors", 1992) with Hyyrö's states for transpositions: bit i of row e is set if e edits turn the letters read so far
/// into the first i letters of the word. All bits of a row advance in one step of a few instructions.
///
/// Letters are Unicode scalars.
package struct LevenshteinAutomaton {
  /// The possible positions in the word after the letters read so far.
  struct State {
    /// The matched prefixes of the word for each number of edits.
    var exact: UInt64 = 0
    var once: UInt64 = 0
    var twice: UInt64 = 0
    /// The states after the first of two transposed letters, by the number of edits including the transposition.
    var swappedOnce: UInt64 = 0
    var swappedTwice: UInt64 = 0
    /// Bit i is set if i is at most the number of letters read; all bits if strings of any length are accepted. See
    /// ``LevenshteinAutomaton/extraLetters``.
    var reachable: UInt64 = .max

    /// Whether no continuation can be accepted.
    @inline(__always) var isDead: Bool { exact | once | twice | swappedOnce | swappedTwice == 0 }
    /// Whether no continuation can be accepted with at most one edit.
    @inline(__always) var isDeadWithOneEdit: Bool { exact | once | swappedOnce == 0 }
  }

  /// The maximum number of edits.
  static let maximumEdits = 2
  /// The maximum length of a word.
  static let maximumLength = 60

  let length: Int
  let edits: Int
  /// How many more letters than the word a string with two edits has at least; 0 for any length.
  ///
  /// After n letters of such a string, two edits leave at most the first n - `extraLetters` letters of the word
  /// matched, because all others follow without an edit.
  let extraLetters: UInt64
  private let ascii: [UInt64]
  private let others: [UInt32: UInt64]
  /// The bits of all prefixes.
  private let all: UInt64

  /// - Parameter minimumLength: the minimum number of letters of a string with two edits. It is ignored if it is not
  ///   greater than the number of letters of the word.
  /// - Returns: nil for a word that is empty or longer than ``maximumLength``.
  init?(_ word: [Unicode.Scalar], edits: Int, minimumLengthWithTwoEdits minimumLength: Int = 0) {
    guard !word.isEmpty, word.count <= LevenshteinAutomaton.maximumLength else { return nil }
    length = word.count
    self.edits = min(max(edits, 0), LevenshteinAutomaton.maximumEdits)
    extraLetters = UInt64(min(max(0, minimumLength - word.count), LevenshteinAutomaton.maximumLength))
    var ascii = [UInt64](repeating: 0, count: 128)
    var others: [UInt32: UInt64] = [:]
    for (position, letter) in word.enumerated() {
      if letter.isASCII {
        ascii[Int(letter.value)] |= 1 << position
      } else {
        others[letter.value, default: 0] |= 1 << position
      }
    }
    self.ascii = ascii
    self.others = others
    all = 1 << (length + 1) - 1
  }

  /// The initial state.
  var start: State {
    let reachable: UInt64 = extraLetters == 0 ? .max : 1
    return State(
      exact: 1, once: edits > 0 ? 0b11 & all : 0, twice: edits > 1 ? 0b111 & all & reachable &>> extraLetters : 0,
      reachable: reachable)
  }

  /// Returns the state after another letter.
  @inline(__always)
  func step(_ state: State, _ letter: UInt32) -> State {
    let mask = letter < 128 ? ascii[Int(letter)] : others[letter] ?? 0
    var next = State()
    next.exact = (state.exact & mask) << 1
    guard edits > 0 else { return next }
    next.swappedOnce = state.exact & (mask >> 1)
    next.once =
      ((state.once & mask) << 1 | state.exact | state.exact << 1 | next.exact << 1 | (state.swappedOnce & mask) << 2)
      & all
    guard edits > 1 else { return next }
    next.reachable = state.reachable << 1 | 1
    next.swappedTwice = state.once & (mask >> 1)
    next.twice =
      ((state.twice & mask) << 1 | state.once | state.once << 1 | next.once << 1 | (state.swappedTwice & mask) << 2)
      & all & next.reachable &>> extraLetters
    return next
  }

  /// Returns whether a string with a prefix may be accepted, or begin with an accepted string. An incomplete letter at
  /// the end of the prefix is ignored.
  package func canAccept(beginning: some Collection<UInt8>) -> Bool {
    Array(beginning).withUnsafeBufferPointer { bytes in
      var (state, position) = (start, 0)
      while position < bytes.count, bytes.hasWholeLetter(at: position) {
        let (letter, length) = bytes.letter(at: position)
        state = step(state, letter)
        position += length
        if edits(at: state) != nil { return true }
        if state.isDead { return false }
      }
      return true
    }
  }

  /// Returns the number of edits of a string that ends in this state; nil if it exceeds the limit.
  @inline(__always)
  func edits(at state: State) -> Int? {
    let end: UInt64 = 1 << length
    return state.exact & end != 0 ? 0 : state.once & end != 0 ? 1 : state.twice & end != 0 ? 2 : nil
  }
}
