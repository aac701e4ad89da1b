import Synchronization

/// The leaves and word lists of the segments of an index in one of its states. Each is read when it is first requested.
final class TermLeavesCache: Sendable {
  private let leaves = Mutex<[SegmentStructure.Segment: TermLeaves]>([:])
  private let wordLists = Mutex<[WordList?]?>(nil)

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
  func wordLists(_ read: () throws -> [WordList?]) rethrows -> [WordList?] {
    if let known = wordLists.withLock({ $0 }) { return known }
    let lists = try read()
    wordLists.withLock { $0 = lists }
    return lists
  }

  /// Makes the next call of ``wordLists(_:)`` read them again.
  func forgetWordLists() { wordLists.withLock { $0 = nil } }
}
