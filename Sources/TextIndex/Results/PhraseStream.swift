import TextAnalysis

/// Finds the phrases of a query in one column while its text is analyzed. The memory is bounded by the distance of
/// phrases with NEAR and does not depend on the length of the text.
struct PhraseStream {
  private let finder: PhraseFinder
  private var terms: PositionedTerms
  /// Occurrences that begin before this position have been passed on.
  private var position = 0
  /// The number of terms after which occurrences are searched for.
  private var limit: Int
  private let minimumLimit: Int

  /// - Parameters:
  ///   - finder: the phrases.
  ///   - filter: accepts their terms.
  ///   - termCount: the number of terms that are kept at least.
  init(_ finder: PhraseFinder, _ filter: TermFilter, termCount: Int = 1 << 16) {
    self.finder = finder
    terms = PositionedTerms(filter)
    (limit, minimumLimit) = (termCount, termCount)
  }

  /// Appends the terms of a piece of a string, and passes occurrences to `body` in the order of their positions.
  ///
  /// - Parameters:
  ///   - buffer: the terms.
  ///   - text: the number of the string.
  ///   - offset: the offset of the piece in the string.
  ///   - followsGap: whether terms before the piece may have been left out.
  mutating func append(
    _ buffer: TokenBuffer, text: Int, offset: Int, followsGap: Bool = false,
    _ body: (PhraseFinder.Occurrence) -> Void
  ) {
    terms.append(buffer, text: text, offset: offset, followsGap: followsGap)
    guard terms.count >= limit, let last = terms.lastPosition else { return }
    // Whether an occurrence is near others depends on terms within this distance before and after it.
    let (end, isOverflow) = last.subtractingReportingOverflow(finder.span)
    guard !isOverflow, end > position else { return limit = terms.count * 2 }
    pass(upTo: end, body)
    terms.removeAll(before: end - finder.span)
    // Searching takes time in proportion to the number of terms, so it must not be repeated for each piece.
    limit = max(minimumLimit, terms.count * 2)
  }

  /// Passes the remaining occurrences.
  mutating func finish(_ body: (PhraseFinder.Occurrence) -> Void) { pass(upTo: .max, body) }

  private mutating func pass(upTo end: Int, _ body: (PhraseFinder.Occurrence) -> Void) {
    for occurrence in finder.occurrences(in: terms) where (position..<end).contains(occurrence.positions.lowerBound) {
      body(occurrence)
    }
    position = end
  }
}
