/// Merges segments of an FTS5 table without decoding positions: the doclists of a term are concatenated if their rows
/// ascend, and are merged row by row otherwise.
///
/// The merged segment contains the same rows and positions as one that FTS5 merges.
struct SegmentMerger: ~Copyable {
  private let cursors: [SegmentCursor]
  private let isOldest: Bool
  private let detail: PostingsHash.Detail
  /// The beginnings of the current terms of the cursors; the largest number for a cursor at the end.
  private var beginnings: GrowableBuffer<UInt64>
  /// The numbers of the cursors at the first of the current terms, oldest first.
  private var matching: GrowableBuffer<Int>
  private var doclist = GrowableBuffer<UInt8>()
  /// The rows of the doclists that are merged row by row.
  private var rows: GrowableBuffer<MergedRows>

  /// - Parameters:
  ///   - cursors: cursors before the first terms of the segments, oldest first.
  ///   - isOldest: whether the table has no older segments, so that removals are no longer needed.
  init(_ cursors: [SegmentCursor], isOldest: Bool, detail: PostingsHash.Detail) {
    self.cursors = cursors
    self.isOldest = isOldest
    self.detail = detail
    beginnings = GrowableBuffer(capacity: max(1, cursors.count))
    matching = GrowableBuffer(capacity: max(1, cursors.count))
    rows = GrowableBuffer(capacity: max(1, cursors.count))
  }

  /// Writes the terms and doclists of all segments.
  ///
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, and the errors of `leaves`.
  mutating func write(to leaves: inout LeafWriter) throws {
    for cursor in cursors {
      try cursor.next()
      beginnings.append(cursor.isAtEnd ? .max : cursor.beginning)
    }
    var last = GrowableBuffer<UInt8>(capacity: 256)
    while findNext() {
      let term = cursors[matching.start[0]].term
      guard TermSort.precedes(last.elements, term) else { throw DoclistCorruption.unordered }
      last.removeAll()
      last.append(term)
      try writeDoclist(UnsafeBufferPointer(rebasing: last.elements[1...]), &leaves)
      for position in 0..<matching.count {
        let number = matching.start[position]
        let cursor = cursors[number]
        try cursor.next()
        beginnings.start[number] = cursor.isAtEnd ? .max : cursor.beginning
      }
    }
  }

  /// Finds the cursors at the first of the current terms.
  ///
  /// - Returns: false if all cursors are at the end.
  private mutating func findNext() -> Bool {
    matching.removeAll()
    var least = UInt64.max
    for number in 0..<beginnings.count { least = min(least, beginnings.start[number]) }
    for number in 0..<beginnings.count where beginnings.start[number] == least {
      let cursor = cursors[number]
      if cursor.isAtEnd { continue }
      if matching.count > 0 {
        let (term, first) = (cursor.term, cursors[matching.start[0]].term)
        if TermSort.precedes(first, term) { continue }
        if TermSort.precedes(term, first) { matching.removeAll() }
      }
      matching.append(number)
    }
    return matching.count > 0
  }

  private mutating func writeDoclist(_ term: UnsafeBufferPointer<UInt8>, _ leaves: inout LeafWriter) throws {
    let isConcatenation = canConcatenate()
    if isConcatenation, matching.count == 1 {
      return try leaves.append(term, cursors[matching.start[0]].doclist.bytes)
    }
    doclist.removeAll()
    if isConcatenation {
      var last: UInt64 = 0
      for position in 0..<matching.count {
        let cursor = cursors[matching.start[position]]
        cursor.doclist.append(to: &doclist, after: last)
        last = cursor.scan.row
      }
    } else {
      rows.removeAll()
      for position in 0..<matching.count {
        if let first = MergedRows(cursors[matching.start[position]].doclist, detail) { rows.append(first) }
      }
      let doclists = UnsafeMutableBufferPointer(start: rows.start, count: rows.count)
      MergedRows.merge(doclists, isOldest: isOldest, detail: detail, into: &doclist)
    }
    // All rows may be removed.
    if doclist.count > 0 { try leaves.append(term, doclist.elements) }
  }

  /// Returns whether the concatenation of the current doclists is their merged doclist.
  private func canConcatenate() -> Bool {
    var last: UInt64?
    for number in matching.elements {
      let scan = cursors[number].scan
      if scan.hasEmptyRows || isOldest && scan.hasRemovals { return false }
      if let last, scan.firstRow <= last { return false }
      last = scan.row
    }
    return true
  }
}
