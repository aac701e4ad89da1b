/// The parsed part of a parenthesis or of the whole query: for each operator, the operands collected so far.
struct MatchLevel {
  let opening: MatchToken?
  /// The fields before the opening parenthesis.
  let filter: FieldFilter?
  /// The operator or bracket before the current terms, reported as the fault if there are no terms.
  var previous: MatchToken?
  /// The adjacent terms since the last operator.
  var terms: [MatchTerm] = []

  private var wanted: MatchOperand?
  private var both = MatchOperand(queries: [], depth: 0)
  private var alternatives = MatchOperand(queries: [], depth: 0)

  init(opening: MatchToken?, filter: FieldFilter?) {
    self.opening = opening
    self.filter = filter
    previous = opening
  }

  /// The number of nodes on the longest path down from here in the part parsed so far.
  var depth: Int {
    max(wanted?.depth ?? 0, both.depth, alternatives.depth, terms.last?.operand.depth ?? 0)
  }

  /// Ends the right operand of a `NOT`, or begins its left one.
  mutating func endSequence() {
    let sequence = MatchTerm.sequence(terms)
    terms.removeAll()
    guard let left = wanted?.single else { return wanted = sequence }
    let right = sequence.single
    wanted = MatchOperand(
      queries: [.not(left.query, right.query)], depth: max(left.depth, right.depth) + 1)
  }

  /// Ends an operand of `AND`.
  mutating func endWithout() {
    endSequence()
    if let wanted { both.append(wanted) }
    wanted = nil
  }

  /// Ends an operand of `OR`.
  mutating func endBoth() {
    endWithout()
    alternatives.append(both.single)
    both = MatchOperand(queries: [], depth: 0)
  }

  /// Ends the level.
  ///
  /// - Precondition: There is a term after its last operator.
  mutating func finish() -> MatchOperand {
    endBoth()
    guard alternatives.queries.count > 1 else { return alternatives }
    return MatchOperand(queries: [.or(alternatives.queries)], depth: alternatives.depth + 1)
  }
}

/// An operand under construction.
struct MatchOperand {
  /// Several queries mean their conjunction, so that `a (b) AND c` becomes one flat `and`.
  var queries: [MatchQuery]
  /// The number of nodes on the longest path down.
  var depth: Int

  var query: MatchQuery { .all(of: queries) }

  /// The operand as one node.
  var single: MatchOperand {
    queries.count > 1 ? MatchOperand(queries: [query], depth: depth + 1) : self
  }

  mutating func append(_ other: MatchOperand) {
    queries += other.queries
    depth = max(depth, other.depth)
  }
}
