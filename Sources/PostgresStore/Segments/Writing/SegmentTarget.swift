package import TextIndex

/// Writes the state of a full-text index in a transaction, in which no other transaction changes the index.
package protocol SegmentTarget: AnyObject {
  /// Returns the manifest of a shard.
  func manifest(shard: Int32, columnCount: Int) throws -> ShardManifest

  /// Returns the recent changes of a shard, in row order.
  func recentDocuments(shard: Int32, columnCount: Int) throws -> [RecentDocument]

  /// Adds recent changes and their effect on the totals. A change of a document replaces an earlier recent one, except
  /// for the terms that the earlier one hides.
  func record(_ changes: [RecentChange], _ totals: IndexTotals, shard: Int32) throws

  /// Starts a segment with an unused number.
  func makeSegment(shard: Int32) throws -> any SegmentOutput

  /// Removes a segment from the list of those that no manifest contains, so that its rows are not deleted.
  ///
  /// - Returns: false if it was not listed: its rows were deleted.
  func keepSegment(_ segment: Int32, shard: Int32) throws -> Bool

  /// Replaces the segments of a shard, adds to its totals and increments its sequence.
  ///
  /// - Parameters:
  ///   - segments: the segments, oldest first.
  ///   - totals: what is added to the totals.
  ///   - isFlushed: whether the segments contain all recent changes, which are then deleted.
  ///   - retired: segments that are no longer used. Their rows are deleted later, when no reader needs them.
  func replace(
    _ segments: [ShardManifest.Entry], adding totals: IndexTotals, isFlushed: Bool, retired: [Int32], shard: Int32
  ) throws
}

/// The rows of a new segment.
package protocol SegmentOutput: SegmentSink {
  /// The segment.
  var key: SegmentKey { get }
  /// The number of bytes of its rows.
  var size: Int { get }

  /// Writes the remaining rows and the header.
  func finish(_ header: SegmentHeader) throws
}

/// A change of a document that is recorded as recent.
package struct RecentChange: Sendable {
  /// The number of the document in its shard.
  let number: UInt32
  /// The document; nil if it is deleted.
  let added: ForwardDocument?
  /// The terms of the version before the change; nil if there was none.
  let removed: TermSequence?
}
