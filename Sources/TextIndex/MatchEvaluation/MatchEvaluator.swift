/// Finds all matching documents, with or without their scores. It evaluates expressions of any form; ``WindowedSearch``
/// finds the best documents of simple ones.
struct MatchEvaluator {
  /// Computes scores; nil if only rows are requested.
  private let scorer: Scorer?
  /// The rows to consider, ascending; nil for all.
  private let candidates: [UInt32]?

  init(scorer: Scorer? = nil, among candidates: [UInt32]? = nil) {
    self.scorer = scorer
    self.candidates = candidates
  }

  /// Returns the matching rows in ascending order with their scores. The score of a document is the sum of the scores
  /// of the phrases that it matches; operands that it does not match, and operands of NOT, add nothing.
  func evaluate(_ node: MatchNode) -> RowScores {
    switch node {
    case .nothing: return RowScores(isScored: scorer != nil)
    case .leaf(let leaf): return evaluate(leaf)
    case .and(let operands): return conjunction(operands)
    case .or(let operands):
      let results = operands.map { evaluate($0) }
      var union = RowScores(rows: MatchEvaluator.union(results[...]), isScored: scorer != nil)
      // Scores are added in the order of the query, as in ``ScoreExplanation``.
      if scorer != nil { for result in results { union.add(result) } }
      return union
    case .not(let positive, let negative):
      let positive = evaluate(positive)
      return positive.subtracting(MatchEvaluator(among: positive.rows).evaluate(negative))
    }
  }

  /// Evaluates the operand with the fewest documents first, and each of the others only for the remaining documents.
  private func conjunction(_ operands: [MatchNode]) -> RowScores {
    var results = Array(repeating: RowScores(isScored: scorer != nil), count: operands.count)
    var rows = candidates
    for number in operands.indices.sorted(by: { operands[$0].upperBound < operands[$1].upperBound }) {
      results[number] = MatchEvaluator(scorer: scorer, among: rows).evaluate(operands[number])
      rows = results[number].rows
    }
    // Scores are added in the order of the query, so that their sums do not depend on the order of evaluation.
    guard let first = results.first else { return RowScores(isScored: scorer != nil) }
    return results.dropFirst().reduce(first) { $0.intersection($1) }
  }

  private func evaluate(_ leaf: MatchLeaf) -> RowScores {
    let postings = leaf.postings
    if let candidates {
      return evaluate(postings, scorer.map { leaf.scorer($0) }, leaf.precedence, among: candidates)
    }
    var result = RowScores(isScored: scorer != nil, capacity: postings.count)
    guard let scorer else {
      result.rows.append(contentsOf: UnsafeBufferPointer(start: postings.rows, count: postings.count))
      return result
    }
    leaf.forEachScore(scorer) { result.append($0, $1) }
    return result
  }

  private func evaluate(
    _ postings: Postings, _ term: TermScorer?, _ precedence: Double, among candidates: [UInt32]
  ) -> RowScores {
    var result = RowScores(isScored: scorer != nil, capacity: min(postings.count, candidates.count))
    var number = 0
    for row in candidates {
      number = postings.rows.position(of: row, from: number, count: postings.count)
      if number == postings.count { break }
      guard postings.rows[number] == row else { continue }
      let score = term?(row, postings.frequencies[number], postings.overflow) ?? 0
      result.append(row, score + precedence)
    }
    return result
  }

  /// Merges halves recursively because each merge copies its input.
  private static func union(_ results: ArraySlice<RowScores>) -> [UInt32] {
    guard let first = results.first else { return [] }
    if results.count == 1 { return first.rows }
    let middle = results.startIndex + results.count / 2
    return union(results[..<middle]).merged(with: union(results[middle...]))
  }
}

extension MatchLeaf {
  /// Calls `body` with each matching document and its score, in ascending order of rows. The score does not include the
  /// summand for the length of the document; see ``Scorer/lengthPart(_:)``.
  @inline(__always)
  func forEachScore(_ scorer: Scorer, _ body: (_ row: UInt32, _ score: Double) -> Void) {
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    let term = self.scorer(scorer)
    for number in 0..<postings.count {
      body(rows[number], term(rows[number], frequencies[number], overflow) + precedence)
    }
  }
}
