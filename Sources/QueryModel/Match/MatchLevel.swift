/// The parsed part of a parenthesized expression or of the whole query: for each operator, the operands collected so
/// far.
struct MatchLevel {
  let opening: MatchToken?
  /// The fields before the opening parenthesis.
  let filter: FieldFilter?
  /// The operator or bracket before the current terms, reported as the error if there are no terms.
  var previous: MatchToken?
  /// The adjacent terms since the last operator.
  var terms: [MatchTerm] = []

  private var difference: MatchOperand?
  private var conjunction = MatchOperand(queries: [], depth: 0)
  private var alternatives = MatchOperand(queries: [], depth: 0)

  init(opening: MatchToken?, filter: FieldFilter?) {
    self.opening = opening
    self.filter = filter
    previous = opening
  }

  /// The depth of the part parsed so far: the number of nodes on the longest path to a leaf.
  var depth: Int {
    max(difference?.depth ?? 0, conjunction.depth, alternatives.depth, terms.last?.operand.depth ?? 0)
  }

  /// Ends an operand of `NOT`.
  mutating func endSequence() {
    let sequence = MatchTerm.sequence(terms)
    terms.removeAll()
    guard let left = difference?.single else { return difference = sequence }
    let right = sequence.single
    difference = MatchOperand(
      queries: [.not(left.query, right.query)], depth: max(left.depth, right.depth) + 1)
  }

  /// Ends an operand of `AND`.
  mutating func endDifference() {
    endSequence()
    if let difference { conjunction.append(difference) }
    difference = nil
  }

  /// Ends an operand of `OR`.
  mutating func endConjunction() {
    endDifference()
    alternatives.append(conjunction.single)
    conjunction = MatchOperand(queries: [], depth: 0)
  }

  /// Ends the level.
  ///
  /// - Precondition: There is a term after its last operator.
  mutating func finish() -> MatchOperand {
    endConjunction()
    guard alternatives.queries.count > 1 else { return alternatives }
    return MatchOperand(queries: [.or(alternatives.queries)], depth: alternatives.depth + 1)
  }
}

/// An operand under construction.
struct MatchOperand {
  /// Several queries form a conjunction, so that `a (b) AND c` becomes one flat `and`.
  var queries: [MatchQuery]
  /// The number of nodes on the longest path to a leaf.
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
