/// A set of sequence numbers, stored as ranges.
///
/// A push completes sequences in any order. The sequences up to the first gap are a valid checkpoint on their own, even
/// without the rest of the set.
public struct SequenceSet: Hashable, Sendable {
  /// The ranges in ascending order, neither empty nor adjacent.
  public private(set) var ranges: [Range<UInt64>] = []

  /// The maximum number of ranges in a checkpoint. Further ranges are dropped, so their documents are offered to the
  /// peer again, which is harmless.
  static let maximumRangeCount = 10_000

  /// Creates an empty set.
  public init() {}

  /// Creates the set of all sequences from 0, which no document has, through the given one.
  public init(through sequence: UInt64) {
    if sequence < .max { ranges = [0..<(sequence + 1)] }
  }

  /// The last sequence of the range that starts at 0; 0 if there is no such range.
  public var completedThrough: UInt64 {
    guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound - 1
  }

  /// Returns whether the set contains a sequence.
  ///
  /// - Complexity: O(log n) in the number of ranges.
  public func contains(_ sequence: UInt64) -> Bool {
    let index = firstIndex(endingAfter: sequence)
    return index < ranges.count && ranges[index].contains(sequence)
  }

  /// Adds a sequence.
  public mutating func insert(_ sequence: UInt64) {
    guard sequence < .max else { return }
    insert(sequence..<(sequence + 1))
  }

  /// Adds a range of sequences.
  public mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    // The new range is merged with all ranges that overlap or adjoin it.
    let start = range.lowerBound == 0 ? 0 : firstIndex(endingAfter: range.lowerBound - 1)
    var end = start
    var union = range
    while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
      union = min(union.lowerBound, ranges[end].lowerBound)..<max(union.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: [union])
  }

  /// Returns the sequences that are in both sets.
  public func intersection(_ other: SequenceSet) -> SequenceSet {
    var result = SequenceSet()
    var (one, two) = (0, 0)
    while one < ranges.count, two < other.ranges.count {
      let common = ranges[one].clamped(to: other.ranges[two])
      if !common.isEmpty { result.ranges.append(common) }
      if ranges[one].upperBound < other.ranges[two].upperBound { one += 1 } else { two += 1 }
    }
    return result
  }

  /// Returns the index of the first range that ends after a sequence.
  private func firstIndex(endingAfter sequence: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
