import DocumentStore

extension RowWindows {
  /// Creates windows that cover all rows of the index and of the postings of the terms.
  init(_ leaves: [MatchLeaf], _ state: SearchState) {
    self.init(rowLimit: max(state.lengths.rowLimit, (leaves.map(\.postings.lastRow).max() ?? 0) + 1))
  }
}

/// Finds the best documents for a conjunction or disjunction of terms without evaluating those that cannot be among
/// them.
///
/// The sum of the terms' score bounds in a window of rows limits the scores in it. The windows with the highest bounds
/// are evaluated first, so that the score of the worst current hit rises early; windows with lower bounds than this
/// score are skipped.
struct WindowedSearch {
  /// Whether a document must contain all terms, or any.
  enum Combination { case all, any }

  let leaves: [MatchLeaf]
  private let combination: Combination
  private let scorer: Scorer
  let windows: RowWindows
  let bounds: [ScoreBounds]
  let terms: [TermScorer]
  let lengths: LengthParts

  /// The maximum number of terms. With more, computing the bounds takes longer than the bounds save.
  static let maximumLeafCount = 64

  init(_ leaves: [MatchLeaf], _ combination: Combination, _ state: SearchState, _ scorer: Scorer) {
    self.leaves = leaves
    self.combination = combination
    self.scorer = scorer
    let windows = RowWindows(leaves, state)
    self.windows = windows
    lengths = LengthParts(scorer, queryWeight: leaves.reduce(0) { $0 + $1.queryWeight })
    let terms = leaves.map { $0.scorer(scorer) }
    self.terms = terms
    bounds = zip(leaves, terms).map { leaf, term in
      func makeBounds() -> ScoreBounds { ScoreBounds(leaf.postings, windows, scorer.ranking, term) }
      return leaf.key.map { state.postings.bounds($0, for: scorer.ranking, windows, makeBounds) } ?? makeBounds()
    }
  }

  /// Offers the matching documents. Ends early if `LongCall.shouldEnd()`; the caller calls `LongCall.check()`.
  func run(_ hits: inout TopHits) {
    // The order of the windows of one term does not depend on other terms, so it is kept with its bounds.
    if leaves.count == 1, terms[0].factor > 0 { return runSingle(&hits) }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.count) { best in
      addBounds(into: best)
      withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.length) { scores in
        scores.initialize(repeating: WindowedSearch.unmatched)
        for window in highestBounds(best) {
          visit(window, scores, &hits)
          best[window] = -.infinity
        }
        var count = 0
        for window in 0..<windows.count where best[window] > -.infinity && mayReach(hits.threshold, best[window]) {
          visit(window, scores, &hits)
          count &+= 1
          if count % WindowedSearch.checkedWindowCount == 0, LongCall.shouldEnd() { return }
        }
      }
    }
  }

  private func runSingle(_ hits: inout TopHits) {
    let (bounds, factor) = (self.bounds[0].bounds, terms[0].factor)
    var count = 0
    for window in self.bounds[0].order {
      guard mayReach(hits.threshold, max(0, factor * Double(bounds[Int(window)]))) else { return }
      visitSingle(Int(window), &hits)
      count &+= 1
      if count % WindowedSearch.checkedWindowCount == 0, LongCall.shouldEnd() { return }
    }
  }

  /// The number of windows between two checks of the time limit. A check takes as long as a window with few documents.
  private static let checkedWindowCount = 64

  /// Returns whether a score of at most `bound`, a sum that may have been rounded down, may be `threshold` or more.
  @inline(__always)
  func mayReach(_ threshold: Double, _ bound: Double) -> Bool {
    bound + abs(bound) * WindowedSearch.roundingError + lengths.roundingError >= threshold
  }

  /// An upper bound on the relative rounding error of a sum of scores.
  static let roundingError = 1e-9

  /// Computes the upper bound of the scores in each window; -infinity if no document can match.
  private func addBounds(into best: UnsafeMutableBufferPointer<Double>) {
    best.initialize(repeating: -.infinity)
    let needsAll = combination == .all
    for (number, (bound, term)) in zip(bounds, terms).enumerated() {
      let (bounds, factor) = (bound.bounds, term.factor)
      for window in best.indices {
        let bound = Double(bounds[window])
        if bound == -.infinity {
          if needsAll { best[window] = -.infinity }
        } else if !needsAll || number == 0 || best[window] > -.infinity {
          // A document need not contain every term of a disjunction, so a negative bound does not lower the sum.
          best[window] = max(0, best[window]) + max(0, factor * bound)
        }
      }
    }
  }

  private static let highestBoundCount = 16

  /// Returns the windows with the highest bounds.
  private func highestBounds(_ best: UnsafeMutableBufferPointer<Double>) -> [Int] {
    var found: [Int] = []
    for window in best.indices where best[window] > -.infinity {
      if found.count == WindowedSearch.highestBoundCount {
        guard let last = found.last, best[window] > best[last] else { continue }
        found.removeLast()
      }
      let position = found.firstIndex { best[$0] < best[window] } ?? found.count
      found.insert(window, at: position)
    }
    return found
  }

  @inline(__always)
  private func visit(_ window: Int, _ scores: UnsafeMutableBufferPointer<Double>, _ hits: inout TopHits) {
    if leaves.count == 1 {
      visitSingle(window, &hits)
    } else if combination == .any {
      visitAny(window, scores, &hits)
    } else {
      visitAll(window, &hits)
    }
  }

  /// The score of a document that matches no term: negative zero, which no sum of scores is, because scores may be
  /// negative or 0 but are never negative zero.
  static let unmatched = -0.0

  /// Offers the documents of a window that have a score, and clears the scores.
  @inline(__always)
  static func offer(
    _ scores: UnsafeMutableBufferPointer<Double>, from first: UInt32, _ lengths: LengthParts, _ hits: inout TopHits
  ) {
    for offset in scores.indices where scores[offset].bitPattern != unmatched.bitPattern {
      let row = first + UInt32(offset)
      hits.offer(row, lengths.complete(scores[offset], row))
      scores[offset] = unmatched
    }
  }

  /// Adds the summand for the length of a document to its score, if the model has one.
  struct LengthParts {
    /// Nil if the model has none.
    private let scorer: Scorer?
    private let queryWeight: Double
    /// An upper bound on the rounding errors of a sum of scores and length parts; 0 if the model has no length parts.
    /// They may nearly cancel each other out, so the bound is not relative to the sum. Each summand is below 1,000
    /// times the weight of its term, because it is a logarithm of a number of type `Double`.
    let roundingError: Double

    init(_ scorer: Scorer, queryWeight: Double) {
      self.scorer = scorer.hasLengthPart ? scorer : nil
      self.queryWeight = queryWeight
      roundingError = scorer.hasLengthPart ? queryWeight * 1e-9 : 0
    }

    /// Whether the model has no such summand.
    var isEmpty: Bool { scorer == nil }

    @inline(__always)
    func complete(_ score: Double, _ row: UInt32) -> Double {
      guard let scorer else { return score }
      return score + queryWeight * scorer.lengthPart(row)
    }
  }
}
