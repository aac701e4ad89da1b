/// Collects the operands of a conjunction and combines adjacent phrases into ``MatchQuery/words(_:)``.
struct AdjacentPhraseRuns {
  private var collected: [MatchQuery] = []
  private var run: [MatchPhrase] = []

  mutating func append(_ phrase: MatchPhrase) {
    run.append(phrase)
  }

  /// Appends an operand that is not a phrase, or not adjacent to one.
  mutating func append(_ query: MatchQuery) {
    endRun()
    collected.append(query)
  }

  /// Returns the operands in order.
  mutating func finish() -> [MatchQuery] {
    endRun()
    return collected
  }

  private mutating func endRun() {
    if let only = run.first {
      collected.append(run.count > 1 ? .words(run) : .phrase(only))
    }
    run.removeAll()
  }
}
