import TextAnalysis

/// Counts the positions of the terms of a column while its strings are analyzed, whole or in pieces.
struct TermPositions {
  /// The position of the last term; -1 before the first one.
  private(set) var last = -1
  /// The last string that has terms.
  private var lastText: Int?

  /// Begins a string or a piece of it that has terms.
  ///
  /// - Parameters:
  ///   - text: the number of the string.
  ///   - followsGap: whether terms before the piece may have been left out, so that no phrase spans it and the terms
  ///     before it.
  mutating func begin(text: Int, followsGap: Bool) {
    // ``TermStream/boundaryTerm`` occupies the position between two strings.
    if followsGap || lastText.map({ $0 != text }) ?? false { last += 1 }
    lastText = text
  }

  /// Advances to the position of the next term.
  mutating func advance(to token: Token) {
    if !token.isColocated || last < 0 { last += 1 }
  }
}
