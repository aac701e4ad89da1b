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

  private let leaves: [MatchLeaf]
  private let combination: Combination
  private let scorer: Scorer
  private let windows: RowWindows
  private let bounds: [ScoreBounds]
  private let idfs: [Double]

  /// The maximum number of terms. With more, computing the bounds takes longer than the bounds save.
  static let maximumLeafCount = 64

  init(_ leaves: [MatchLeaf], _ combination: Combination, _ state: SearchState, _ scorer: Scorer) {
    self.leaves = leaves
    self.combination = combination
    self.scorer = scorer
    let windows = RowWindows(leaves, state)
    self.windows = windows
    idfs = leaves.map { $0.idf(scorer) }
    bounds = leaves.map { leaf in
      func makeBounds() -> ScoreBounds { ScoreBounds(leaf.postings, windows, scorer) }
      return leaf.key.map { state.postings.bounds($0, for: scorer.ranking, windows, makeBounds) } ?? makeBounds()
    }
  }

  /// Offers the matching documents.
  func run(_ hits: inout TopHits) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.count) { best in
      addBounds(into: best)
      withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.length) { scores in
        scores.initialize(repeating: 0)
        for window in highestBounds(best) {
          visit(window, scores, &hits)
          best[window] = -1
        }
        for window in 0..<windows.count where best[window] > 0 && best[window] >= hits.threshold {
          visit(window, scores, &hits)
        }
      }
    }
  }

  /// Computes the upper bound of the scores in each window; 0 if no document can match.
  private func addBounds(into best: UnsafeMutableBufferPointer<Double>) {
    best.initialize(repeating: 0)
    for (bound, idf) in zip(bounds, idfs) {
      let saturations = bound.saturations
      for window in best.indices { best[window] += idf * Double(saturations[window]) }
    }
    guard combination == .all, bounds.count > 1 else { return }
    for bound in bounds {
      let saturations = bound.saturations
      for window in best.indices where saturations[window] == 0 { best[window] = 0 }
    }
  }

  private static let highestBoundCount = 16

  /// Returns the windows with the highest bounds.
  private func highestBounds(_ best: UnsafeMutableBufferPointer<Double>) -> [Int] {
    var found: [Int] = []
    for window in best.indices where best[window] > 0 {
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

  private func visitSingle(_ window: Int, _ hits: inout TopHits) {
    let postings = leaves[0].postings
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    let idf = idfs[0]
    for number in Int(bounds[0].starts[window])..<Int(bounds[0].starts[window + 1]) {
      hits.offer(rows[number], idf * scorer.saturation(rows[number], frequencies[number], overflow))
    }
  }

  /// Adds up the scores of a window's documents, one slot per row.
  private func visitAny(_ window: Int, _ scores: UnsafeMutableBufferPointer<Double>, _ hits: inout TopHits) {
    let first = UInt32(window << windows.bits)
    for leaf in leaves.indices {
      let postings = leaves[leaf].postings
      let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
      let idf = idfs[leaf]
      for number in Int(bounds[leaf].starts[window])..<Int(bounds[leaf].starts[window + 1]) {
        let row = rows[number]
        scores[Int(row - first)] += idf * scorer.saturation(row, frequencies[number], overflow)
      }
    }
    WindowedSearch.offer(scores, from: first, &hits)
  }

  /// Offers the documents of a window that have a score, and clears the scores.
  @inline(__always)
  static func offer(_ scores: UnsafeMutableBufferPointer<Double>, from first: UInt32, _ hits: inout TopHits) {
    for offset in scores.indices where scores[offset] > 0 {
      hits.offer(first + UInt32(offset), scores[offset])
      scores[offset] = 0
    }
  }

  /// Takes the term with the fewest documents in the window, and looks up each of these documents in the postings of
  /// the other terms.
  private func visitAll(_ window: Int, _ hits: inout TopHits) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: leaves.count) { positions in
      var leader = 0
      var fewest = Int.max
      for leaf in leaves.indices {
        positions[leaf] = Int(bounds[leaf].starts[window])
        let count = Int(bounds[leaf].starts[window + 1]) - positions[leaf]
        if count < fewest { (leader, fewest) = (leaf, count) }
      }
      candidates: for number in positions[leader]..<(positions[leader] + fewest) {
        let row = leaves[leader].postings.rows[number]
        positions[leader] = number
        for leaf in leaves.indices where leaf != leader {
          let rows = leaves[leaf].postings.rows
          let end = Int(bounds[leaf].starts[window + 1])
          var position = positions[leaf]
          while position < end, rows[position] < row { position += 1 }
          positions[leaf] = position
          if position == end { return }
          if rows[position] != row { continue candidates }
        }
        var score = 0.0
        for leaf in leaves.indices {
          let postings = leaves[leaf].postings
          score += idfs[leaf] * scorer.saturation(row, postings.frequencies[positions[leaf]], postings.overflow)
        }
        hits.offer(row, score)
      }
    }
  }
}
