/// Finds every document that matches, with or without its score. The way for expressions of any form; see ``WindowedSearch``
/// for the best few of simple ones.
struct MatchEvaluator {
  /// Scores the documents; nil where only their rows are asked for.
  private let scorer: Scorer?

  init(scorer: Scorer? = nil) { self.scorer = scorer }

  /// The rows that match, in order, and their scores. A document's score is the sum of those of the phrases that it matches
  /// by: none of an operand that it does not match, none of what NOT excludes.
  func evaluate(_ node: MatchNode) -> RowScores {
    switch node {
    case .nothing: return RowScores(isScored: scorer != nil)
    case .leaf(let leaf): return evaluate(leaf)
    case .and(let operands):
      // In the order of the query, so that the sums of scores come out the same to the last digit.
      let results = operands.map { evaluate($0) }
      guard let first = results.first else { return RowScores(isScored: scorer != nil) }
      return results.dropFirst().reduce(first) { $0.intersection($1) }
    case .or(let operands): return union(operands[...])
    case .not(let positive, let negative):
      return evaluate(positive).subtracting(MatchEvaluator().evaluate(negative))
    }
  }

  private func evaluate(_ leaf: MatchLeaf) -> RowScores {
    let postings = leaf.postings
    var result = RowScores(isScored: scorer != nil, capacity: postings.count)
    guard let scorer else {
      result.rows.append(contentsOf: UnsafeBufferPointer(start: postings.rows, count: postings.count))
      return result
    }
    let rarity = leaf.rarity(scorer)
    for number in 0..<postings.count {
      let row = postings.rows[number]
      result.append(row, rarity * scorer.saturation(row, postings.frequencies[number], postings.spill))
    }
    return result
  }

  /// In halves, since each step copies what was there.
  private func union(_ operands: ArraySlice<MatchNode>) -> RowScores {
    guard let first = operands.first else { return RowScores(isScored: scorer != nil) }
    if operands.count == 1 { return evaluate(first) }
    let middle = operands.startIndex + operands.count / 2
    return union(operands[..<middle]).union(union(operands[middle...]))
  }
}

/// Rows in order, and the score of each where they are scored.
struct RowScores {
  var rows: [UInt32] = []
  private(set) var scores: [Double] = []
  private let isScored: Bool

  init(isScored: Bool, capacity: Int = 0) {
    self.isScored = isScored
    rows.reserveCapacity(capacity)
    if isScored { scores.reserveCapacity(capacity) }
  }

  mutating func append(_ row: UInt32, _ score: Double) {
    rows.append(row)
    if isScored { scores.append(score) }
  }

  func intersection(_ other: RowScores) -> RowScores {
    var result = RowScores(isScored: isScored, capacity: min(rows.count, other.rows.count))
    rows.withUnsafeBufferPointer { mine in
      other.rows.withUnsafeBufferPointer { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return }
        var (one, two) = (0, 0)
        while one < rows.count, two < other.rows.count {
          if mine[one] == theirs[two] {
            result.append(mine[one], isScored ? scores[one] + other.scores[two] : 0)
            one += 1
            two += 1
          } else if mine[one] < theirs[two] {
            one = mine.position(of: theirs[two], from: one, count: rows.count)
          } else {
            two = theirs.position(of: mine[one], from: two, count: other.rows.count)
          }
        }
      }
    }
    return result
  }

  func union(_ other: RowScores) -> RowScores {
    var result = RowScores(isScored: isScored, capacity: rows.count + other.rows.count)
    var (one, two) = (0, 0)
    while one < rows.count || two < other.rows.count {
      let mine = one < rows.count ? rows[one] : .max
      let theirs = two < other.rows.count ? other.rows[two] : .max
      let score =
        isScored ? (mine <= theirs ? scores[one] : 0) + (theirs <= mine ? other.scores[two] : 0) : 0
      result.append(min(mine, theirs), score)
      if mine <= theirs { one += 1 }
      if theirs <= mine { two += 1 }
    }
    return result
  }

  func subtracting(_ other: RowScores) -> RowScores {
    var result = RowScores(isScored: isScored, capacity: rows.count)
    var two = 0
    for (one, row) in rows.enumerated() {
      while two < other.rows.count, other.rows[two] < row { two += 1 }
      if two < other.rows.count, other.rows[two] == row { continue }
      result.append(row, isScored ? scores[one] : 0)
    }
    return result
  }
}
