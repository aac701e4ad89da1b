/// Iterates over the rows of a ``MergedDoclist``, to merge it with others row by row.
struct MergedRows: BitwiseCopyable {
  /// The current row; ``end`` after the last one.
  private var row: UInt64 = 0
  private var hasPostings = false
  /// Whether the row is removed from older segments.
  private var isRemoval = false
  private var positions: UnsafePointer<UInt8>
  private var positionsSize = 0
  private var rest: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>

  /// A number above all rows: ``DoclistScan`` rejects rows above `Int64.max`.
  private static var end: UInt64 { .max }

  /// Begins at the first row. The memory of the doclist must remain valid.
  ///
  /// - Returns: nil for a doclist without bytes.
  init?(_ doclist: MergedDoclist, _ detail: PostingsHash.Detail) {
    guard let start = doclist.bytes.baseAddress else { return nil }
    positions = start
    rest = start
    limit = start + doclist.bytes.count
    next(detail)
  }

  /// Appends the doclists of one term in several segments as one doclist.
  ///
  /// As in FTS5, the youngest doclist that contains a row has its positions, and the oldest one determines whether it
  /// is removed from segments that are older than all of them.
  ///
  /// - Parameters:
  ///   - doclists: the first rows of the doclists, oldest first.
  ///   - isOldest: whether no older segment exists, so that removals are no longer needed.
  static func merge(
    _ doclists: UnsafeMutableBufferPointer<MergedRows>, isOldest: Bool, detail: PostingsHash.Detail,
    into output: inout GrowableBuffer<UInt8>
  ) {
    var last: UInt64 = 0
    while true {
      // The lowest row, and the first and the last doclist that contain it.
      var row = MergedRows.end
      var (oldest, youngest) = (0, 0)
      for number in 0..<doclists.count {
        let other = doclists[number].row
        if other < row {
          (row, oldest, youngest) = (other, number, number)
        } else if other == row {
          youngest = number
        }
      }
      if row == MergedRows.end { return }
      let isRemoval = doclists[oldest].isRemoval && !isOldest
      if doclists[youngest].hasPostings || isRemoval {
        output.appendVarint(row &- last)
        doclists[youngest].append(to: &output, isRemoval: isRemoval, detail)
        last = row
      }
      for number in oldest...youngest where doclists[number].row == row { doclists[number].next(detail) }
    }
  }

  @inline(__always)
  private mutating func next(_ detail: PostingsHash.Detail) {
    guard rest < limit else {
      row = MergedRows.end
      return
    }
    let (delta, rowLength) = rest.readVarint()
    row &+= delta
    rest += rowLength
    switch detail {
    case .full:
      let (size, sizeLength) = rest.readVarint()
      positions = rest + sizeLength
      positionsSize = Int(size / 2)
      rest = positions + positionsSize
      (hasPostings, isRemoval) = (positionsSize > 0, size & 1 == 1)
    case .none:
      var markCount = 0
      while markCount < 2, rest < limit, rest[0] == 0 {
        markCount += 1
        rest += 1
      }
      (hasPostings, isRemoval) = (markCount != 1, markCount > 0)
    }
  }

  /// Appends the data of the row.
  @inline(__always)
  private func append(to output: inout GrowableBuffer<UInt8>, isRemoval: Bool, _ detail: PostingsHash.Detail) {
    switch detail {
    case .full:
      output.appendVarint(UInt64(2 * positionsSize + (isRemoval ? 1 : 0)))
      output.append(UnsafeBufferPointer(start: positions, count: positionsSize))
    case .none:
      if isRemoval { output.append(0) }
      if isRemoval, hasPostings { output.append(0) }
    }
  }
}
