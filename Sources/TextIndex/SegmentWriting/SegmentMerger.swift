import GRDB
import SQLiteAccess

/// Merges segments of an FTS5 table without decoding positions: the doclists of a term are concatenated if their rows
/// ascend, and are merged row by row otherwise.
///
/// The merged segment contains the same rows and positions as one that FTS5 merges.
struct SegmentMerger {
  private let cursors: [SegmentCursor]
  private let isOldest: Bool
  private let detail: PostingsHash.Detail

  /// - Parameters:
  ///   - segments: the segments, oldest first.
  ///   - isOldest: whether the table has no older segments, so that removals are no longer needed.
  init(
    _ segments: [SegmentStructure.Segment], isOldest: Bool, table: String, detail: PostingsHash.Detail, _ db: Database
  ) throws {
    cursors = try segments.map { try SegmentCursor($0, table: table, detail: detail, db) }
    self.isOldest = isOldest
    self.detail = detail
  }

  /// Writes the terms and doclists of all segments.
  ///
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, and the errors of `leaves`.
  func write(to leaves: inout LeafWriter) throws {
    for cursor in cursors { try cursor.next() }
    var last: [UInt8] = []
    var matching: [SegmentCursor] = []
    var doclist: [UInt8] = []
    while findNext(&matching), let first = matching.first {
      guard last.lexicographicallyPrecedes(first.term) else { throw DoclistCorruption.unordered }
      last.removeAll(keepingCapacity: true)
      last.append(contentsOf: first.term)
      try first.term.withUnsafeBufferPointer { term in
        try writeDoclist(UnsafeBufferPointer(rebasing: term[1...]), matching, &doclist, &leaves)
      }
      for cursor in matching { try cursor.next() }
    }
  }

  /// Finds the cursors at the first of the current terms, oldest first.
  ///
  /// - Returns: false if all cursors are at the end.
  private func findNext(_ matching: inout [SegmentCursor]) -> Bool {
    matching.removeAll(keepingCapacity: true)
    for cursor in cursors where !cursor.isAtEnd {
      guard let first = matching.first else {
        matching.append(cursor)
        continue
      }
      if cursor.beginning > first.beginning { continue }
      if cursor.beginning == first.beginning {
        if cursor.term == first.term {
          matching.append(cursor)
          continue
        }
        guard cursor.term.lexicographicallyPrecedes(first.term) else { continue }
      }
      matching.removeAll(keepingCapacity: true)
      matching.append(cursor)
    }
    return !matching.isEmpty
  }

  private func writeDoclist(
    _ term: UnsafeBufferPointer<UInt8>, _ matching: [SegmentCursor], _ buffer: inout [UInt8],
    _ leaves: inout LeafWriter
  ) throws {
    let isConcatenation = canConcatenate(matching)
    if isConcatenation, matching.count == 1 {
      return try matching[0].withDoclist { try leaves.append(term, $0.bytes) }
    }
    buffer.removeAll(keepingCapacity: true)
    if isConcatenation {
      var last: UInt64 = 0
      for cursor in matching {
        cursor.withDoclist { $0.append(to: &buffer, after: last) }
        last = cursor.scan.row
      }
    } else {
      SegmentMerger.collect(matching[...], []) {
        MergedDoclist.mergeRows($0, isOldest: isOldest, detail: detail, into: &buffer)
      }
    }
    // All rows may be removed.
    if !buffer.isEmpty { try buffer.withUnsafeBufferPointer { try leaves.append(term, $0) } }
  }

  /// Returns whether the concatenation of the current doclists is their merged doclist.
  private func canConcatenate(_ cursors: [SegmentCursor]) -> Bool {
    var last: UInt64?
    for cursor in cursors {
      let scan = cursor.scan
      if scan.hasEmptyRows || isOldest && scan.hasRemovals { return false }
      if let last, scan.firstRow <= last { return false }
      last = scan.row
    }
    return true
  }

  /// Calls `body` with the doclists of all cursors, whose memory is valid during the call.
  private static func collect(
    _ cursors: ArraySlice<SegmentCursor>, _ doclists: [MergedDoclist], _ body: ([MergedDoclist]) -> Void
  ) {
    guard let first = cursors.first else { return body(doclists) }
    first.withDoclist { collect(cursors.dropFirst(), doclists + [$0], body) }
  }
}
