/// The doclist of a term in a segment that is merged, as one piece: with deltas instead of the full rowids with which
/// leaves begin. It is validated, so that its rows can be read without further checks. See ``DoclistFormat``.
struct MergedDoclist {
  let bytes: UnsafeBufferPointer<UInt8>
  let scan: DoclistScan

  /// The bytes after the first rowid.
  private var rest: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[scan.firstRowLength...])
  }

  /// Appends the doclist without changes after an older one.
  ///
  /// - Parameter last: the last row of the older doclist, or 0 for the first doclist.
  func append(to output: inout [UInt8], after last: UInt64) {
    output.appendVarint(scan.firstRow &- last)
    output.append(contentsOf: rest)
  }

  /// Appends the doclists of one term in several segments as one doclist, row by row.
  ///
  /// As in FTS5, the youngest doclist that contains a row has its positions, and the oldest one determines whether it
  /// is removed from segments that are older than all of them.
  ///
  /// - Parameters:
  ///   - doclists: the doclists, oldest first.
  ///   - isOldest: whether no older segment exists, so that removals are no longer needed.
  static func mergeRows(
    _ doclists: [MergedDoclist], isOldest: Bool, detail: PostingsHash.Detail, into output: inout [UInt8]
  ) {
    var cursors = doclists.map { MergedRows($0.bytes, detail) }
    var last: UInt64 = 0
    while let row = cursors.lazy.compactMap(\.row).min() {
      if let oldest = cursors.first(where: { $0.row == row }), let youngest = cursors.last(where: { $0.row == row }) {
        let isRemoval = oldest.isRemoval && !isOldest
        if youngest.hasPostings || isRemoval {
          output.appendVarint(row &- last)
          youngest.append(to: &output, isRemoval: isRemoval)
          last = row
        }
      }
      for number in cursors.indices where cursors[number].row == row { cursors[number].next() }
    }
  }
}

/// Iterates over the rows of a validated doclist.
private struct MergedRows {
  /// The current row; nil at the end.
  private(set) var row: UInt64?
  private(set) var hasPostings = false
  /// Whether the row is removed from older segments.
  private(set) var isRemoval = false
  private var positions: UnsafeBufferPointer<UInt8>
  private let detail: PostingsHash.Detail
  private var rest: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ detail: PostingsHash.Detail) {
    self.detail = detail
    rest = bytes
    positions = UnsafeBufferPointer(rebasing: bytes[..<0])
    next()
  }

  mutating func next() {
    guard let start = rest.baseAddress, !rest.isEmpty else {
      row = nil
      return
    }
    let (delta, rowLength) = start.readVarint()
    row = (row ?? 0) &+ delta
    var end = rowLength
    switch detail {
    case .full:
      let (size, sizeLength) = (start + rowLength).readVarint()
      end += sizeLength + Int(size / 2)
      positions = UnsafeBufferPointer(rebasing: rest[(rowLength + sizeLength)..<end])
      (hasPostings, isRemoval) = (!positions.isEmpty, size & 1 == 1)
    case .none:
      let markCount = rest[rowLength...].prefix(2).prefix { $0 == 0 }.count
      end += markCount
      (hasPostings, isRemoval) = (markCount != 1, markCount > 0)
    }
    rest = UnsafeBufferPointer(rebasing: rest[end...])
  }

  /// Appends the data of the row.
  func append(to output: inout [UInt8], isRemoval: Bool) {
    switch detail {
    case .full:
      output.appendVarint(UInt64(2 * positions.count + (isRemoval ? 1 : 0)))
      output.append(contentsOf: positions)
    case .none:
      if isRemoval { output.append(0) }
      if isRemoval, hasPostings { output.append(0) }
    }
  }
}
