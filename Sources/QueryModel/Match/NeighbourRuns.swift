/// Collects the operands of a conjunction and brings phrases that follow each other together as
/// ``MatchQuery/words(_:)``.
struct NeighbourRuns {
  private var collected: [MatchQuery] = []
  private var run: [MatchPhrase] = []

  mutating func append(_ phrase: MatchPhrase) {
    run.append(phrase)
  }

  /// Appends something that is not a phrase, or not the neighbour of one.
  mutating func append(_ query: MatchQuery) {
    endRun()
    collected.append(query)
  }

  /// The operands in order.
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
