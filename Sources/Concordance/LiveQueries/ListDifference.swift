import TextIndex

/// The difference between two versions of a list: the rows that were deleted, inserted, moved and updated.
///
/// A user interface that shows the list can apply the difference instead of redrawing the whole list:
///
/// ```swift
/// let difference = ListDifference(from: ["cat", "dog", "fox"], to: ["fox", "cat", "owl"])
/// difference.deletions    // [1]         dog
/// difference.moves        // [2 → 0]     fox
/// difference.insertions   // [2]         owl
/// ```
///
/// | property | positions in |
/// |---|---|
/// | ``deletions`` | the old list |
/// | ``insertions`` | the new list |
/// | ``moves`` | old list → new list |
/// | ``updates`` | old list → new list |
///
/// To change an old list into the new one, remove the rows at the deletions and at the old positions of moves, from
/// last to first; then insert the rows at the insertions and at the new positions of moves, from first to last; then
/// replace the updated rows at their new positions. ``apply(to:from:)`` does this. A row that was moved and updated is
/// in ``moves`` and in ``updates``.
public struct ListDifference: Hashable, Sendable {
  /// The positions of a row in the old and the new list.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// The position in the old list.
    public let old: Int
    /// The position in the new list.
    public let new: Int

    /// The positions with an arrow between them.
    public var description: String { "\(old) → \(new)" }
  }

  /// The positions in the old list of rows that are not in the new list, ascending.
  public let deletions: [Int]
  /// The positions in the new list of rows that are not in the old list, ascending.
  public let insertions: [Int]
  /// The smallest set of rows whose order relative to the others changed, by new position.
  public let moves: [Step]
  /// The rows with the same identity and different content, by new position.
  public let updates: [Step]

  /// Whether the lists are equal.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Compares two lists, whose elements may repeat. There are no updates.
  ///
  /// - Parameters:
  ///   - old: the old list.
  ///   - new: the new list.
  /// - Complexity: O(n log n) in the number of elements.
  public init<Element: Hashable>(from old: [Element], to new: [Element]) {
    self.init(from: old, to: new) { _, _ in false }
  }

  /// Compares two lists of identities.
  ///
  /// - Parameters:
  ///   - old: the identities of the old rows. If an identity repeats, its first occurrence in one list corresponds to
  ///     its first occurrence in the other list, and so on.
  ///   - new: the identities of the new rows.
  ///   - isUpdated: returns whether the contents of two rows with the same identity differ. It receives the old and the
  ///     new position.
  /// - Complexity: O(n log n) in the number of rows.
  public init<ID: Hashable>(from old: [ID], to new: [ID], isUpdated: (_ old: Int, _ new: Int) -> Bool) {
    var oldPositions = PositionsByID(old)
    var insertions: [Int] = []
    var common: [Step] = []
    for (position, id) in new.enumerated() {
      if let oldPosition = oldPositions.next(id) {
        common.append(Step(old: oldPosition, new: position))
      } else {
        insertions.append(position)
      }
    }
    let kept = Set(common.map(\.old))
    deletions = old.indices.filter { !kept.contains($0) }
    self.insertions = insertions
    let unmoved = ListDifference.longestIncreasingSubsequence(common.map(\.old))
    moves = common.indices.filter { !unmoved.contains($0) }.map { common[$0] }
    updates = common.filter { isUpdated($0.old, $0.new) }
  }

  /// Changes a copy of the old list into the new one.
  ///
  /// ```swift
  /// difference.apply(to: &lines) { render(results[$0]) }
  /// ```
  ///
  /// - Parameters:
  ///   - list: the old list.
  ///   - element: returns the element at a position of the new list. It is called for inserted and updated positions.
  /// - Precondition: the list has the same length as the old list.
  /// - Throws: the errors of `element`.
  /// - Complexity: O(n) in the number of rows.
  public func apply<Element>(to list: inout [Element], from element: (Int) throws -> Element) rethrows {
    let removed = Set(deletions + moves.map(\.old))
    let moved = Dictionary(uniqueKeysWithValues: moves.map { ($0.new, list[$0.old]) })
    var unmoved = list.indices.lazy.filter { !removed.contains($0) }.makeIterator()
    let inserted = Set(insertions)
    let updated = Set(updates.map(\.new))
    var result: [Element] = []
    let count = list.count - deletions.count + insertions.count
    result.reserveCapacity(count)
    for position in 0..<count {
      let old = inserted.contains(position) ? nil : moved[position] ?? unmoved.next().map { list[$0] }
      if let old, !updated.contains(position) { result.append(old) } else { result.append(try element(position)) }
    }
    list = result
  }

  /// Returns the positions of the elements of a longest increasing subsequence.
  private static func longestIncreasingSubsequence(_ numbers: [Int]) -> Set<Int> {
    // For each length, the position of the smallest last element of a subsequence of this length.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      let length = ends.partitionPoint { numbers[$0] >= number }
      previous[position] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(position) } else { ends[length] = position }
    }
    var result: Set<Int> = []
    var position = ends.last
    while let current = position {
      result.insert(current)
      position = previous[current]
    }
    return result
  }
}

/// The positions of each identity in a list, in ascending order.
private struct PositionsByID<ID: Hashable> {
  private var positions: [ID: [Int]] = [:]

  init(_ ids: [ID]) {
    // Reversed, so that `popLast` removes the first position in constant time.
    for (position, id) in ids.enumerated().reversed() { positions[id, default: []].append(position) }
  }

  /// Removes and returns the first remaining position of an identity.
  mutating func next(_ id: ID) -> Int? { positions[id]?.popLast() }
}
