/// Finds the documents in which two phrases occur in any order within a few positions of one column.
///
/// The windows of a document are counted from the beginning: if the current occurrences of both phrases are in one
/// window, it is counted and both advance; otherwise the earlier one advances. Thus each occurrence belongs to at most
/// one window.
struct UnorderedWindowEvaluator {
  /// The number of positions of each phrase.
  private let lengths: (UInt64, UInt64)
  /// The maximum number of positions from the beginning of the first to the end of the last phrase.
  private let windowLength: UInt64
  private let columnCount: Int

  init(_ lengths: (Int, Int), windowLength: Int, columnCount: Int) {
    self.lengths = (UInt64(lengths.0), UInt64(lengths.1))
    self.windowLength = UInt64(windowLength)
    self.columnCount = columnCount
  }

  /// Returns the documents with windows and the number of windows in each column.
  ///
  /// - Parameters:
  ///   - one: the postings of one phrase, with positions.
  ///   - other: the postings of the other phrase, with positions.
  /// - Throws: the errors of `LongCall.check()`.
  /// - Complexity: O(p) in the number of positions in the documents that contain both phrases.
  func evaluate(_ one: Postings, _ other: Postings) throws -> Postings {
    var result = PostingsStorage(keepingPositions: false)
    guard let first = PositionSource(one, columnCount: columnCount),
      let second = PositionSource(other, columnCount: columnCount)
    else {
      return Postings(result)
    }
    var rows = RowIntersection([one, other])
    var frequencies: [(column: Int, count: UInt32)] = []
    var check = RowCheck()
    while let row = rows.next() {
      try check.step()
      frequencies.removeAll(keepingCapacity: true)
      count(first.cursor(rows.positions[0]), second.cursor(rows.positions[1]), &frequencies)
      if frequencies.isEmpty { continue }
      result.append(row, result.frequencies(frequencies), UnsafeBufferPointer(start: nil, count: 0))
    }
    return Postings(result)
  }

  private func count(
    _ one: PositionCursor, _ other: PositionCursor, _ frequencies: inout [(column: Int, count: UInt32)]
  ) {
    var (one, other) = (one, other)
    var (first, second) = (one.next(), other.next())
    while first != PositionCursor.none, second != PositionCursor.none {
      // Positions in different columns differ by more than any window length.
      let extent = max(first + lengths.0, second + lengths.1) - min(first, second)
      if extent <= windowLength {
        let column = Int(first >> 32)
        if let last = frequencies.indices.last, frequencies[last].column == column {
          frequencies[last].count += 1
        } else {
          frequencies.append((column, 1))
        }
        first = one.next()
        second = other.next()
      } else if first < second {
        first = one.next()
      } else {
        second = other.next()
      }
    }
  }
}
