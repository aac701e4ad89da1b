import TextIndex

/// The state of a full-text index in a shard: its segments, totals and the position in its changes.
///
/// A document is in the segment, or the recent change, that was written last; older segments that contain it are
/// overridden for its row.
package struct ShardManifest: Sendable, Hashable {
  let shard: Int32
  /// The number of the last change of the index in the shard.
  var sequence: Int64 = 0
  /// Recent changes up to this sequence are in segments.
  var flushed: Int64 = 0
  var totals: IndexTotals
  /// The segments, oldest first.
  var segments: [Entry] = []

  /// A segment.
  package struct Entry: Sendable, Hashable {
    var number: Int32
    /// The number of documents.
    var documentCount: Int
    /// The number of bytes of its rows.
    var size: Int
    /// The range of its documents' numbers in the shard; the first exceeds the last if it only deletes documents.
    var firstRow: UInt32
    var lastRow: UInt32
  }

  /// The maximum size in bytes of the segments of a shard. The sum of the sizes of all shards does not overflow.
  private static let maximumSize = 1 << 53

  init(shard: Int32, columnCount: Int) {
    self.shard = shard
    totals = IndexTotals(columnCount: columnCount)
  }

  /// The stored form of the segments:
  ///
  /// ```
  /// segments := (number:number  documents:number  size:number  first:number  last:number)*
  /// ```
  var segmentBytes: [UInt8] {
    var bytes: [UInt8] = []
    for segment in segments {
      bytes.appendNumber(segment.number)
      bytes.appendNumber(segment.documentCount)
      bytes.appendNumber(segment.size)
      bytes.appendNumber(segment.firstRow)
      bytes.appendNumber(segment.lastRow)
    }
    return bytes
  }

  /// Reads the stored form of segments. The sum of their sizes is at most ``maximumSize``.
  static func segments(_ bytes: [UInt8]) throws -> [Entry] {
    try bytes.reading { reader in
      var segments: [Entry] = []
      var left = maximumSize
      while !reader.isAtEnd {
        segments.append(
          Entry(
            number: Int32(try reader.number(upTo: Int(Int32.max))),
            documentCount: try reader.number(upTo: Int(UInt32.max)), size: try reader.number(upTo: left),
            firstRow: try reader.number32(), lastRow: try reader.number32()))
        left -= segments.last?.size ?? 0
      }
      guard Set(segments.map(\.number)).count == segments.count else { throw SegmentDamage.badNumber }
      return segments
    }
  }

  /// The highest number of a document in the segments; nil if there is none.
  var lastRow: UInt32? { segments.filter { $0.firstRow <= $0.lastRow }.map(\.lastRow).max() }
}
