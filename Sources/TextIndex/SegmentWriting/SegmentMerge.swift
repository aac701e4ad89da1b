import Foundation
import GRDB
import SQLiteAccess

/// Segments of an FTS5 table to be merged into one. A separate thread merges the leaves. The thread of the transaction
/// reads and stores them, because only this thread may use the connection.
struct SegmentMerge: Sendable {
  /// The segments, oldest first.
  let segments: [SegmentStructure.Segment]
  /// Whether the table has no older segments, so that removals are no longer needed.
  let isOldest: Bool
  let table: String
  let detail: PostingsHash.Detail

  /// Merges the segments.
  ///
  /// - Parameters:
  ///   - segment: the number of the merged segment.
  ///   - pageSize: the page size of the table.
  ///   - store: stores a part of the merged segment.
  /// - Returns: the number of leaves of the merged segment.
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, `DatabaseError`, and the errors of
  ///   `store`.
  func run(
    segment: Int64, pageSize: Int, _ db: Database, storing store: (SegmentPart) throws -> Void
  ) throws -> Int64 {
    let encoding = SegmentEncoding()
    // Has no effect after the last part.
    defer { encoding.cancel() }
    DispatchQueue(label: "Concordance merge").async { [self] in
      encoding.run(segment: segment, pageSize: pageSize, detail: detail) { leaves in
        let cursors = segments.enumerated().map { number, segment in
          SegmentCursor(segment, LeafReadAhead(segment, number: number, encoding), detail: detail)
        }
        var merger = SegmentMerger(cursors, isOldest: isOldest, detail: detail)
        try merger.write(to: &leaves)
      }
    }
    let blocks = try SQLStatement(cached: "SELECT block FROM \(table)_data WHERE id = ?", in: db)
    return try encoding.forEachPart(reading: { try SegmentMerge.read($0, blocks) }, store)
  }

  private static func read(_ request: LeafRequest, _ blocks: SQLStatement) throws -> SegmentPart {
    var leaves = SegmentPart()
    defer { blocks.reset() }
    for id in request.blocks {
      blocks.reset()
      blocks.bind(1, id)
      guard try blocks.step() else { throw DoclistCorruption.missingBlock }
      leaves.appendBlock(id, UnsafeRawBufferPointer(blocks.row.blob(0)))
    }
    return leaves
  }
}
