/// The evaluation of one window.
extension WindowedSearch {
  func visitSingle(_ window: Int, _ hits: inout TopHits) {
    let postings = leaves[0].postings
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    let term = terms[0]
    for number in range(0, window) {
      let score = term(rows[number], frequencies[number], overflow)
      hits.offer(rows[number], lengths.complete(score, rows[number]))
    }
  }

  /// Adds up the scores of a window's documents, one slot per row.
  ///
  /// As in MaxScore (Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995), a document that
  /// contains only terms whose bounds add up to less than the score of the worst current hit cannot be a hit. The
  /// postings of these terms are read only for documents that contain another term and may be hits.
  func visitAny(_ window: Int, _ scores: UnsafeMutableBufferPointer<Double>, _ hits: inout TopHits) {
    withUnsafeTemporaryAllocation(of: OptionalTerm.self, capacity: leaves.count) { terms in
      let optional = terms[..<optionalCount(window, terms, hits.threshold)]
      let first = UInt32(window << windows.bits)
      for leaf in leaves.indices where !optional.contains(where: { $0.leaf == leaf }) {
        let postings = leaves[leaf].postings
        let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
        let term = self.terms[leaf]
        for number in range(leaf, window) {
          let row = rows[number]
          scores[Int(row - first)] += term(row, frequencies[number], overflow)
        }
      }
      if optional.isEmpty {
        WindowedSearch.offer(scores, from: first, lengths, &hits)
      } else {
        offerCompleted(scores, window, UnsafeMutableBufferPointer(rebasing: optional), &hits)
      }
    }
  }

  /// A term that alone cannot make a document a hit.
  private struct OptionalTerm {
    let leaf: Int
    /// The bound of the term in the window.
    let bound: Double
    /// The sum of the bounds of this term and the terms with lower bounds.
    var sum = 0.0
  }

  /// Sorts the terms by their bounds in a window, lowest first.
  ///
  /// - Returns: the number of terms, at the beginning of `terms`, whose bounds add up to less than `threshold`.
  private func optionalCount(
    _ window: Int, _ terms: UnsafeMutableBufferPointer<OptionalTerm>, _ threshold: Double
  ) -> Int {
    // The length of a document lowers its score, so a sum of bounds says less.
    guard threshold > 0, lengths.isEmpty else { return 0 }
    for leaf in leaves.indices {
      let term = OptionalTerm(leaf: leaf, bound: bound(leaf, window))
      var position = leaf
      while position > 0, terms[position - 1].bound > term.bound {
        terms[position] = terms[position - 1]
        position -= 1
      }
      terms[position] = term
    }
    var count = 0
    while count < leaves.count - 1 {
      terms[count].sum = terms[count].bound + (count > 0 ? terms[count - 1].sum : 0)
      if mayReach(threshold, terms[count].sum) { break }
      count += 1
    }
    return count
  }

  /// Offers the documents of a window that have a score and may be hits, and clears the scores.
  ///
  /// - Parameters:
  ///   - scores: the sums of the scores of the other terms.
  ///   - optional: the optional terms, which are looked up in descending order of their bounds while the document may
  ///     be a hit.
  private func offerCompleted(
    _ scores: UnsafeMutableBufferPointer<Double>, _ window: Int,
    _ optional: UnsafeMutableBufferPointer<OptionalTerm>, _ hits: inout TopHits
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: leaves.count) { positions in
      for leaf in leaves.indices { positions[leaf] = range(leaf, window).lowerBound }
      let first = UInt32(window << windows.bits)
      let optionalSum = optional[optional.count - 1].sum
      // Most slots are skipped by this comparison alone, without bounds checks.
      let slots = UnsafePointer(scores.baseAddress.unsafelyUnwrapped)
      var lowest = lowestSum(hits.threshold, optionalSum)
      documents: for offset in 0..<scores.count where slots[offset] >= lowest {
        var sum = slots[offset]
        guard sum.bitPattern != WindowedSearch.unmatched.bitPattern else { continue }
        let row = first + UInt32(offset)
        for term in optional.reversed() {
          guard mayReach(hits.threshold, sum + term.sum) else { continue documents }
          sum += score(of: row, term.leaf, window, &positions[term.leaf]) ?? 0
        }
        guard mayReach(hits.threshold, sum) else { continue }
        // The rounding of a sum depends on its order, which must be that of other searches.
        var score = WindowedSearch.unmatched
        for leaf in leaves.indices {
          if let part = self.score(of: row, leaf, window, &positions[leaf]) { score += part }
        }
        hits.offer(row, score)
        lowest = lowestSum(hits.threshold, optionalSum)
      }
      scores.update(repeating: WindowedSearch.unmatched)
    }
  }

  /// A lower bound on the sums that ``mayReach(_:_:)`` accepts together with the bounds of the optional terms. There
  /// are optional terms only if the threshold is positive and no score has a length part, see `optionalCount`.
  private func lowestSum(_ threshold: Double, _ optionalSum: Double) -> Double {
    threshold * (1 - 4 * WindowedSearch.roundingError) - optionalSum
  }

  /// Returns the score of a term in a document of a window; nil if the document does not contain it.
  ///
  /// - Parameter position: the number of a posting at or before the document; set to the first one at or after it.
  @inline(__always)
  private func score(of row: UInt32, _ leaf: Int, _ window: Int, _ position: inout Int) -> Double? {
    let postings = leaves[leaf].postings
    let end = range(leaf, window).upperBound
    position = WindowedSearch.position(of: row, in: postings.rows, from: position, to: end)
    guard position < end, postings.rows[position] == row else { return nil }
    return terms[leaf](row, postings.frequencies[position], postings.overflow)
  }

  /// Takes the term with the fewest documents in the window, and looks up each of these documents in the postings of
  /// the other terms if its score may be high enough.
  func visitAll(_ window: Int, _ hits: inout TopHits) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: leaves.count) { positions in
      var leader = 0
      var fewest = Int.max
      for leaf in leaves.indices {
        positions[leaf] = range(leaf, window).lowerBound
        let count = range(leaf, window).count
        if count < fewest { (leader, fewest) = (leaf, count) }
      }
      let others =
        lengths.isEmpty ? leaves.indices.reduce(0) { $1 == leader ? $0 : $0 + bound($1, window) } : .infinity
      let leading = leaves[leader].postings
      candidates: for number in positions[leader]..<(positions[leader] + fewest) {
        let row = leading.rows[number]
        var sum = terms[leader](row, leading.frequencies[number], leading.overflow)
        var remaining = others
        guard mayReach(hits.threshold, sum + remaining) else { continue }
        for leaf in leaves.indices where leaf != leader {
          guard let part = score(of: row, leaf, window, &positions[leaf]) else {
            if positions[leaf] == range(leaf, window).upperBound { return }
            continue candidates
          }
          sum += part
          remaining -= bound(leaf, window)
          guard mayReach(hits.threshold, sum + remaining) else { continue candidates }
        }
        positions[leader] = number
        var score = 0.0
        for leaf in leaves.indices {
          let postings = leaves[leaf].postings
          score += terms[leaf](row, postings.frequencies[positions[leaf]], postings.overflow)
        }
        hits.offer(row, lengths.complete(score, row))
      }
    }
  }

  /// The numbers of the postings of a term in a window.
  @inline(__always)
  private func range(_ leaf: Int, _ window: Int) -> Range<Int> {
    let starts = bounds[leaf].starts
    return Int(starts[window])..<Int(starts[window + 1])
  }

  /// An upper bound on the scores of a term in a window; 0 if it has no postings there.
  @inline(__always)
  private func bound(_ leaf: Int, _ window: Int) -> Double {
    max(0, terms[leaf].factor * Double(bounds[leaf].bounds[window]))
  }

  /// Returns the position of the first row from `row` on, found by doubling steps and then halving them.
  @inline(__always)
  private static func position(
    of row: UInt32, in rows: UnsafePointer<UInt32>, from start: Int, to end: Int
  ) -> Int {
    var low = start
    var step = 1
    while low + step <= end, rows[low + step - 1] < row {
      low += step
      step *= 2
    }
    var high = min(low + step - 1, end)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
