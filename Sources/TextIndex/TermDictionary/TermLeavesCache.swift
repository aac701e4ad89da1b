import Synchronization

/// The leaves and word lists of the segments of an index in one of its states. Each is read when it is first requested
/// and exists.
final class TermLeavesCache: Sendable {
  private let leaves = Mutex<[SegmentStructure.Segment: TermLeaves]>([:])
  private let wordLists = Mutex<[SegmentStructure.Segment: WordList]>([:])

  /// Returns the leaves of a segment on which terms begin.
  func leaves(
    of segment: SegmentStructure.Segment, _ read: (SegmentStructure.Segment) throws -> TermLeaves
  ) rethrows -> TermLeaves {
    if let known = leaves.withLock({ $0[segment] }) { return known }
    let leaves = try read(segment)
    self.leaves.withLock { $0[segment] = leaves }
    return leaves
  }

  /// Returns the word list of each segment; nil for segments without one.
  ///
  /// Lists are written after their segments, in a transaction that does not change the state. Missing lists are
  /// therefore looked for again by each call.
  ///
  /// - Parameters:
  ///   - minimumLeafCount: the minimum number of leaves of a segment that may have a list.
  ///   - read: reads the header of a list.
  func wordLists(
    of segments: [SegmentStructure.Segment], minimumLeafCount: Int,
    _ read: (SegmentStructure.Segment) throws -> WordList?
  ) rethrows -> [WordList?] {
    let known = wordLists.withLock { $0 }
    return try segments.map { segment -> WordList? in
      if let list = known[segment] { return list }
      guard segment.leafCount >= minimumLeafCount, let list = try read(segment) else { return nil }
      wordLists.withLock { $0[segment] = list }
      return list
    }
  }
}
