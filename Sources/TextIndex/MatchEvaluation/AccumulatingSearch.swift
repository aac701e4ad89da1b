import DocumentStore

/// Finds the best documents for a disjunction of many terms by adding up the scores of one window of rows at a time.
/// Every posting is scored, because with many terms score bounds would skip few postings. No posting is copied.
struct AccumulatingSearch {
  private let leaves: [MatchLeaf]
  private let scorer: Scorer
  private let windows: RowWindows
  private let queryWeight: Double

  /// - Returns: nil if there are too few postings for windows to be faster than a direct evaluation.
  init?(_ leaves: [MatchLeaf], _ state: SearchState, _ scorer: Scorer) {
    let windows = RowWindows(leaves, state)
    guard leaves.reduce(0, { $0 + $1.postings.count }) >= leaves.count * windows.count else { return nil }
    self.leaves = leaves
    self.scorer = scorer
    self.windows = windows
    queryWeight = leaves.reduce(0) { $0 + $1.queryWeight }
  }

  /// Offers the matching documents. Ends early if `LongCall.shouldEnd()`; the caller calls `LongCall.check()`.
  ///
  /// - Complexity: O(p + t * w) in the numbers of postings, terms and windows.
  func run(_ hits: inout TopHits) {
    let terms = leaves.map { $0.scorer(scorer) }
    let lengths = WindowedSearch.LengthParts(scorer, queryWeight: queryWeight)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: leaves.count) { positions in
      positions.initialize(repeating: 0)
      withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.length) { scores in
        scores.initialize(repeating: WindowedSearch.unmatched)
        for window in 0..<windows.count {
          if LongCall.shouldEnd() { return }
          let first = window << windows.bits
          for leaf in leaves.indices {
            let postings = leaves[leaf].postings
            positions[leaf] = add(postings, from: positions[leaf], terms[leaf], first, to: scores)
          }
          WindowedSearch.offer(scores, from: UInt32(first), lengths, &hits)
        }
      }
    }
  }

  /// Adds the scores of a term's documents in a window.
  ///
  /// - Returns: the first posting after the window.
  private func add(
    _ postings: Postings, from start: Int, _ term: TermScorer, _ first: Int,
    to scores: UnsafeMutableBufferPointer<Double>
  ) -> Int {
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    let end = first + windows.length
    var number = start
    while number < postings.count, Int(rows[number]) < end {
      scores[Int(rows[number]) - first] += term(rows[number], frequencies[number], overflow)
      number += 1
    }
    return number
  }
}
