import Synchronization

/// The first posting of each window of rows, and an upper bound on the scores of its documents.
///
/// The rows are divided into windows of equal length, the same for all postings of an index, so that the bounds of
/// several terms can be added up window by window. Windows whose bound is below the scores of the current hits are
/// skipped. This is the method of Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max Indexes" (2011), with
/// aligned blocks.
///
/// `@unchecked Sendable`: the memory is not changed after initialization, so it needs no lock.
final class ScoreBounds: @unchecked Sendable {
  let ranking: ResolvedRanking
  let windows: RowWindows
  /// For each window, the index of its first posting; the last element is the number of postings.
  let starts: UnsafePointer<UInt32>
  /// For each window, the highest bound of a posting (see ``TermScorer/bound(_:_:_:)``), rounded up; -infinity if the
  /// window is empty.
  let bounds: UnsafePointer<Float>

  /// The size in bytes, including ``order``.
  var size: Int { windows.count * (2 * MemoryLayout<UInt32>.size + MemoryLayout<Float>.size) }

  private let knownOrder = Mutex<[UInt32]?>(nil)

  /// The nonempty windows in descending order of their bounds, computed by the first search for the term alone.
  var order: [UInt32] {
    knownOrder.withLock { known in
      if let known { return known }
      // Numbers are sorted several times as fast as with a closure that compares bounds.
      var keys: [UInt64] = []
      for window in 0..<windows.count where bounds[window] > -.infinity {
        let bits = bounds[window].bitPattern
        let ascending = bounds[window].sign == .minus ? ~bits : bits | 1 << 31
        keys.append(UInt64(~ascending) << 32 | UInt64(window))
      }
      keys.sort()
      let order = keys.map { UInt32(truncatingIfNeeded: $0) }
      known = order
      return order
    }
  }

  private let startMemory: UnsafeMutablePointer<UInt32>
  private let boundMemory: UnsafeMutablePointer<Float>

  /// - Parameter term: scores the postings; its factor does not matter.
  init(_ postings: Postings, _ windows: RowWindows, _ ranking: ResolvedRanking, _ term: TermScorer) {
    self.ranking = ranking
    self.windows = windows
    startMemory = .allocate(capacity: windows.count + 1)
    boundMemory = .allocate(capacity: windows.count)
    starts = UnsafePointer(startMemory)
    bounds = UnsafePointer(boundMemory)
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    var position = 0
    for window in 0..<windows.count {
      startMemory[window] = UInt32(position)
      let end = (window + 1) << windows.bits
      var best = -Double.infinity
      while position < postings.count, Int(rows[position]) < end {
        best = max(best, term.bound(rows[position], frequencies[position], overflow))
        position += 1
      }
      boundMemory[window] = best == -.infinity ? -.infinity : Float(best).nextUp
    }
    startMemory[windows.count] = UInt32(position)
  }

  deinit {
    startMemory.deallocate()
    boundMemory.deallocate()
  }
}

/// The division of the rows of an index into windows.
struct RowWindows: Hashable {
  /// The base-2 logarithm of the number of rows of a window.
  let bits: Int
  let count: Int

  /// Creates about 2,000 windows for the rows below a limit, each with at least 256 rows.
  init(rowLimit: Int) {
    var bits = 8
    while rowLimit >> bits > 2048 { bits += 1 }
    self.bits = bits
    count = (max(1, rowLimit) - 1) >> bits + 1
  }

  var length: Int { 1 << bits }
}
