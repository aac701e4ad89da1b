/// The leaves of a segment on which terms begin, with their separators from `t_idx`: the terms that begin on a leaf are
/// not less than its separator, and less than that of the next leaf.
struct TermLeaves {
  let segment: SegmentStructure.Segment
  /// The numbers of the leaves, ascending.
  private(set) var numbers: [Int64] = []
  /// The concatenated separators.
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []
  /// The number of bytes that each separator, except the last one, shares with the next one. All terms between two
  /// separators begin with these bytes. At most 255.
  private var shared: [UInt8] = []

  /// Creates a list of the first leaf, on which a term always begins, but which may be missing in `t_idx`.
  init(_ segment: SegmentStructure.Segment) {
    self.segment = segment
    append(segment.firstLeaf, UnsafeBufferPointer(start: nil, count: 0))
  }

  var count: Int { numbers.count }

  /// Appends a leaf with its stored separator.
  mutating func append(_ number: Int64, _ stored: UnsafeBufferPointer<UInt8>) {
    let separator = UnsafeBufferPointer(rebasing: stored.dropFirst())
    if let last = numbers.indices.last {
      let previous = range(last)
      let limit = min(previous.count, separator.count, Int(UInt8.max))
      let common = bytes.withUnsafeBufferPointer { bytes in
        var common = 0
        while common < limit, bytes[previous.lowerBound + common] == separator[common] { common += 1 }
        return common
      }
      shared.append(UInt8(common))
    }
    bytes.append(contentsOf: separator)
    ends.append(UInt32(bytes.count))
    numbers.append(number)
  }

  /// Returns the indexes of the leaves that may contain terms with a prefix.
  ///
  /// - Complexity: O(log n).
  func leafIndexes(beginningWith prefix: [UInt8]) -> Range<Int> {
    // The byte 0xFF does not occur in UTF-8.
    let above = (0..<count).partitionPoint { !separator($0).lexicographicallyPrecedes(prefix + [0xFF]) }
    let first = (0..<count).partitionPoint { prefix.lexicographicallyPrecedes(separator($0)) }
    return max(0, first - 1)..<max(first, above)
  }

  /// Returns the indexes of the leaves that may contain terms that an automaton accepts, or that begin with an accepted
  /// string.
  ///
  /// - Complexity: O(n).
  func leafIndexes(near automaton: LevenshteinAutomaton) -> [Int] {
    (0..<count).filter { $0 == shared.count || automaton.canAccept(beginning: separator($0).prefix(Int(shared[$0]))) }
  }

  /// Returns the indexes of the leaves that may contain terms that a search accepts.
  ///
  /// - Complexity: O(n).
  func leafIndexes(of search: TypoSearch) -> [Int] {
    var traversal = TypoTraversal(search)
    var rejectedLength = Int.max
    return bytes.withUnsafeBufferPointer { bytes in
      (0..<count).filter { leafIndex in
        guard leafIndex < shared.count else { return true }
        let length = Int(shared[leafIndex])
        guard length < rejectedLength else { return false }
        let separator = UnsafeBufferPointer(rebasing: bytes[range(leafIndex)].prefix(length))
        let sharedLength = leafIndex == 0 ? 0 : min(length, Int(shared[leafIndex - 1]))
        return traversal.canAccept(
          beginning: separator, sharedLength: sharedLength, rejectedLength: &rejectedLength)
      }
    }
  }

  private func separator(_ leafIndex: Int) -> ArraySlice<UInt8> { bytes[range(leafIndex)] }

  private func range(_ leafIndex: Int) -> Range<Int> {
    (leafIndex == 0 ? 0 : Int(ends[leafIndex - 1]))..<Int(ends[leafIndex])
  }
}
