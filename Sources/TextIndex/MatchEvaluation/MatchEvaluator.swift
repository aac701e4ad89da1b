import DocumentStore

/// Finds all matching documents, with or without their scores. It evaluates expressions of any form; ``WindowedSearch``
/// finds the best documents of simple ones.
///
/// If the time limit of the search passes, evaluation ends early and only some of the rows are returned. The caller
/// calls `LongCall.check()`.
struct MatchEvaluator {
  /// Computes scores; nil if only rows are requested.
  private let scorer: Scorer?
  /// The rows to consider, ascending; nil for all.
  private let candidates: [UInt32]?
  /// The number of rows of OR operands, including unused capacity, that are collected before they are added to the
  /// result, unless the result is larger. Memory is therefore proportional to the result and not to the number of
  /// operands.
  private let batchSize: Int

  /// With more operands, AND finds the common rows before it scores them, so that the scores of one operand at a time
  /// are in memory.
  private static let fewOperands = 8

  init(scorer: Scorer? = nil, among candidates: [UInt32]? = nil, batchSize: Int = 1 << 18) {
    self.scorer = scorer
    self.candidates = candidates
    self.batchSize = batchSize
  }

  private func among(_ rows: [UInt32]?, scored: Bool) -> MatchEvaluator {
    MatchEvaluator(scorer: scored ? scorer : nil, among: rows, batchSize: batchSize)
  }

  /// Returns the matching rows in ascending order with their scores. The score of a document is the sum of the scores
  /// of the phrases that it matches; operands that it does not match, and operands of NOT, add nothing.
  func evaluate(_ node: MatchNode) -> RowScores {
    switch node {
    case .nothing: return RowScores(isScored: scorer != nil)
    case .leaf(let leaf): return evaluate(leaf)
    case .and(let operands): return conjunction(operands)
    case .or(let operands): return disjunction(operands)
    case .not(let positive, let negative):
      let positive = evaluate(positive)
      return positive.subtracting(among(positive.rows, scored: false).evaluate(negative))
    }
  }

  private func disjunction(_ operands: [MatchNode]) -> RowScores {
    var union = RowScores(isScored: scorer != nil)
    var batch: [RowScores] = []
    var batchCount = 0
    for operand in operands {
      if LongCall.shouldEnd() { return union }
      let result = evaluate(operand)
      batchCount += result.rows.capacity
      batch.append(result)
      if batchCount >= max(batchSize, union.rows.count) {
        union = union.adding(batch)
        batch.removeAll()
        batchCount = 0
      }
    }
    return union.adding(batch)
  }

  private func conjunction(_ operands: [MatchNode]) -> RowScores {
    guard scorer != nil else { return RowScores(rows: commonRows(operands), isScored: false) }
    if operands.count > MatchEvaluator.fewOperands {
      let evaluator = among(among(candidates, scored: false).commonRows(operands), scored: true)
      guard let first = operands.first else { return RowScores(isScored: true) }
      var sum = evaluator.evaluate(first)
      for operand in operands.dropFirst() {
        if LongCall.shouldEnd() { return sum }
        sum = sum.intersection(evaluator.evaluate(operand))
      }
      return sum
    }
    var results = Array(repeating: RowScores(isScored: true), count: operands.count)
    var rows = candidates
    for number in MatchEvaluator.cheapestFirst(operands) {
      results[number] = among(rows, scored: true).evaluate(operands[number])
      rows = results[number].rows
    }
    // Scores are added in the order of the query, so that their sums do not depend on the order of evaluation.
    guard let first = results.first else { return RowScores(isScored: true) }
    return results.dropFirst().reduce(first) { $0.intersection($1) }
  }

  /// Returns the rows that all operands match.
  private func commonRows(_ operands: [MatchNode]) -> [UInt32] {
    var rows = candidates
    for number in MatchEvaluator.cheapestFirst(operands) {
      if LongCall.shouldEnd() { return [] }
      rows = among(rows, scored: false).evaluate(operands[number]).rows
    }
    return operands.isEmpty ? [] : rows ?? []
  }

  /// Returns the operand with the fewest documents first: each of the others is evaluated only for the remaining
  /// documents.
  private static func cheapestFirst(_ operands: [MatchNode]) -> [Int] {
    operands.indices.sorted { operands[$0].upperBound < operands[$1].upperBound }
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
    var check = RowCheck()
    for row in candidates {
      if check.shouldEnd() { break }
      number = postings.rows.position(of: row, from: number, count: postings.count)
      if number == postings.count { break }
      guard postings.rows[number] == row else { continue }
      let score = term?(row, postings.frequencies[number], postings.overflow) ?? 0
      result.append(row, score + precedence)
    }
    return result
  }
}

extension MatchLeaf {
  /// The number of postings between two checks of the time limit, which do not slow down the loop over the postings.
  private static let checkedCount = 1 << 16

  /// Calls `body` with each matching document and its score, in ascending order of rows. The score does not include the
  /// summand for the length of the document; see ``Scorer/lengthPart(_:)``. Ends early if `LongCall.shouldEnd()`; the
  /// caller calls `LongCall.check()`.
  @inline(__always)
  func forEachScore(_ scorer: Scorer, _ body: (_ row: UInt32, _ score: Double) -> Void) {
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    let term = self.scorer(scorer)
    var start = 0
    while start < postings.count {
      let end = min(postings.count, start + MatchLeaf.checkedCount)
      for number in start..<end {
        body(rows[number], term(rows[number], frequencies[number], overflow) + precedence)
      }
      start = end
      if start < postings.count, LongCall.shouldEnd() { return }
    }
  }
}
