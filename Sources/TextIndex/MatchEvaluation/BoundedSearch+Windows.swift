/// Search for several terms: rows are divided into windows as in ``WindowedSearch``, and the bound of a window is
/// computed from the blocks that overlap it.
extension BoundedSearch {
  /// Visits the windows in descending order of their score bounds and offers their documents.
  func offerWindows(_ hits: inout TopHits) throws {
    let best = windowBounds()
    let candidates = best.indices.filter { best[$0] > 0 }.sorted { best[$0] > best[$1] }
    try withUnsafeTemporaryAllocation(of: Double.self, capacity: windows.length) { scores in
      try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: windows.length) { counts in
        scores.initialize(repeating: 0)
        counts.initialize(repeating: 0)
        for window in candidates {
          guard best[window] >= hits.threshold else { return }
          try visit(window, scores, counts, &hits)
        }
      }
    }
  }

  /// Computes the upper bound of the scores in each window; 0 if no document can match.
  private func windowBounds() -> [Double] {
    let all = terms.map { bounds(of: $0) }
    var best = Array(repeating: 0.0, count: windows.count)
    for (term, bounds) in zip(terms, all) {
      for window in best.indices { best[window] += term.idf * bounds[window] }
    }
    guard needsAll else { return best }
    for bounds in all {
      for window in best.indices where bounds[window] == 0 { best[window] = 0 }
    }
    return best
  }

  /// Computes the upper bound of a term's saturation in each window.
  private func bounds(of term: Term) -> [Double] {
    switch term.source {
    case .whole(_, let bounds): return (0..<windows.count).map { max(0, Double(bounds.bounds[$0])) }
    case .blocks(let list, let bounds):
      var best = Array(repeating: 0.0, count: windows.count)
      for (block, saturation) in zip(list.blocks, bounds.saturations) {
        for window in Int(block.firstRow) >> windows.bits...Int(block.lastRow) >> windows.bits {
          best[window] = max(best[window], saturation)
        }
      }
      let whole = list.rest
      for number in 0..<whole.count {
        let window = Int(whole.rows[number]) >> windows.bits
        let saturation = scorer.saturation(whole.rows[number], whole.frequencies[number], whole.overflow)
        best[window] = max(best[window], saturation)
      }
      return best
    }
  }

  /// Adds up the scores of a window's documents, one slot per row, in the order of the terms.
  private func visit(
    _ window: Int, _ scores: UnsafeMutableBufferPointer<Double>, _ counts: UnsafeMutableBufferPointer<UInt8>,
    _ hits: inout TopHits
  ) throws {
    let first = window << windows.bits
    if needsAll {
      // The rarest term is read first: if the window does not contain it, the others need not be read.
      for term in terms.sorted(by: { $0.documentFrequency < $1.documentFrequency }) {
        guard try slices(of: term, window).contains(where: { !$0.range.isEmpty }) else { return }
      }
    }
    for term in terms {
      for (postings, range) in try slices(of: term, window) {
        for number in range {
          let row = postings.rows[number]
          let offset = Int(row) - first
          scores[offset] += term.idf * scorer.saturation(row, postings.frequencies[number], postings.overflow)
          counts[offset] += 1
        }
      }
    }
    let needed = needsAll ? terms.count : 1
    for offset in scores.indices where counts[offset] > 0 {
      if counts[offset] >= needed { hits.offer(UInt32(first + offset), scores[offset]) }
      scores[offset] = 0
      counts[offset] = 0
    }
  }

  /// Returns the postings of a term in a window.
  private func slices(of term: Term, _ window: Int) throws -> [(postings: Postings, range: Range<Int>)] {
    switch term.source {
    case .whole(let postings, let bounds):
      return [(postings, Int(bounds.starts[window])..<Int(bounds.starts[window + 1]))]
    case .blocks(let list, _):
      // In a damaged file the last window may end after the highest possible row.
      let (first, end) = (UInt32(window << windows.bits), UInt32(clamping: (window + 1) << windows.bits))
      var slices = [(list.rest, list.rest.range(from: first, to: end))]
      var number = list.blocks.partitionPoint { $0.lastRow >= first }
      while number < list.blocks.count, list.blocks[number].firstRow < end {
        let block = try list.postings(ofBlock: number)
        slices.append((block, block.range(from: first, to: end)))
        number += 1
      }
      return slices
    }
  }
}

extension Postings {
  /// Returns the postings of a range of rows.
  fileprivate func range(from first: UInt32, to end: UInt32) -> Range<Int> {
    let start = rows.position(of: first, from: 0, count: count)
    return start..<rows.position(of: end, from: start, count: count)
  }
}
