/// The leaves of a segment on which terms begin, with their separators from `t_idx`: the terms that begin on a leaf are
/// not less than its separator, and less than that of the next leaf.
struct TermLeaves {
  let segment: SegmentStructure.Segment
  /// The numbers of the leaves, ascending.
  private(set) var numbers: [Int64] = []
  /// The concatenated separators.
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  /// Creates a list of the first leaf, on which a term always begins, but which may be missing in `t_idx`.
  init(_ segment: SegmentStructure.Segment) {
    self.segment = segment
    append(segment.firstLeaf, [])
  }

  var count: Int { numbers.count }

  /// Appends a leaf with its stored separator.
  mutating func append(_ number: Int64, _ stored: some Collection<UInt8>) {
    numbers.append(number)
    bytes.append(contentsOf: stored.dropFirst())
    ends.append(UInt32(bytes.count))
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
  func leafIndexes(near automaton: LevenshteinAutomaton) -> [Int] { leafIndexes { automaton.canAccept(beginning: $0) } }

  /// Returns the indexes of the leaves that may contain terms that a search accepts.
  ///
  /// - Complexity: O(n).
  func leafIndexes(of search: TypoSearch) -> [Int] { leafIndexes { search.canAccept(beginning: $0) } }

  /// Returns the indexes of the leaves whose terms have a common prefix that satisfies a predicate, and of the last
  /// leaf.
  private func leafIndexes(_ canBegin: (ArraySlice<UInt8>) -> Bool) -> [Int] {
    (0..<count).filter { leafIndex in
      guard leafIndex + 1 < count else { return true }
      // All terms between two separators begin with the common prefix of the separators.
      let (lower, upper) = (separator(leafIndex), separator(leafIndex + 1))
      return canBegin(lower.prefix(zip(lower, upper).prefix { $0 == $1 }.count))
    }
  }

  private func separator(_ leafIndex: Int) -> ArraySlice<UInt8> {
    bytes[(leafIndex == 0 ? 0 : Int(ends[leafIndex - 1]))..<Int(ends[leafIndex])]
  }
}
