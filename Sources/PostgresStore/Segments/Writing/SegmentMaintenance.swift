import TextIndex

/// Merges segments and turns recent changes into segments. Results of searches do not change.
struct SegmentMaintenance {
  let index: StoredFullTextIndex
  let division: RowDivision

  /// The number of recent changes of a shard after which they become a segment. More make searches slower, because the
  /// terms of each recent document are looked up.
  static let recentLimit: Int64 = 1000

  private var columnCount: Int { index.definition.fields.count }

  private func ranking() throws -> ResolvedRanking { try ResolvedRanking(index.definition.ranking, for: index) }

  /// Writes the recent changes of a shard to a segment.
  ///
  /// - Parameter target: writes in the transaction.
  /// - Returns: whether there were any.
  func flushRecent(shard: Int32, _ target: any SegmentTarget) throws -> Bool {
    let recent = try target.recentDocuments(shard: shard, columnCount: columnCount)
    guard !recent.isEmpty else { return false }
    let manifest = try target.manifest(shard: shard, columnCount: columnCount)
    let builder = SegmentBuilder(columnCount: columnCount)
    for document in recent {
      let number = try division.location(ofRow: Int64(document.row)).number
      if let removed = document.removed { builder.replace(removed, row: number) }
      if let added = document.added { try builder.add(.forward(added), row: number) }
    }
    var segments = manifest.segments
    // Changes that cancel each other leave nothing to write.
    if !builder.isEmpty {
      segments.append(try builder.write(manifest.totals, ranking(), to: target.makeSegment(shard: shard)))
    }
    try target.replace(
      segments, adding: IndexTotals(columnCount: columnCount), isFlushed: true, retired: [], shard: shard)
    return true
  }

  /// Writes the segment that replaces a range of segments. It is not used until ``replace(_:with:_:)``.
  ///
  /// - Parameters:
  ///   - range: the range of the manifest's segments.
  ///   - storage: reads the segments.
  ///   - output: receives the merged segment.
  func merge(
    _ range: Range<Int>, of manifest: ShardManifest, _ storage: any SegmentStorage, to output: any SegmentOutput
  ) throws -> ShardManifest.Entry {
    let entries = manifest.segments[range]
    let keys = entries.map { SegmentKey(shard: manifest.shard, segment: $0.number) }
    let headers = try zip(entries, storage.headers(keys)).map { entry, bytes in
      try SegmentHeader(bytes, columnCount: columnCount, documentCount: entry.documentCount)
    }
    let segments = zip(keys, headers).map { OpenSegment($0, base: 0, $1) }
    let merger = PostgresSegmentMerger(
      segments, includesOldest: range.lowerBound == 0, columnCount: columnCount, storage)
    let lengths = try merger.lengths()
    return try output.write(lengths, manifest.totals, ranking()) { try merger.write(lengths, $0, to: output) }
  }

  /// Replaces merged segments in the manifest. Segments that were added in the meantime are kept.
  ///
  /// - Parameters:
  ///   - merged: the segments that were merged, oldest first.
  ///   - entry: the segment that contains their documents.
  ///   - target: writes in the transaction.
  /// - Returns: false if another merge has replaced one of them, or if another process has deleted the rows of the new
  ///   segment, so that it is not used.
  func replace(
    _ merged: [ShardManifest.Entry], with entry: ShardManifest.Entry, shard: Int32, _ target: any SegmentTarget
  ) throws -> Bool {
    var segments = try target.manifest(shard: shard, columnCount: columnCount).segments
    guard let first = segments.firstIndex(where: { $0.number == merged.first?.number }),
      segments[first...].prefix(merged.count).map(\.number) == merged.map(\.number)
    else { return false }
    guard try target.keepSegment(entry.number, shard: shard) else { return false }
    segments.replaceSubrange(first..<first + merged.count, with: [entry])
    try target.replace(
      segments, adding: IndexTotals(columnCount: columnCount), isFlushed: false, retired: merged.map(\.number),
      shard: shard)
    return true
  }
}
