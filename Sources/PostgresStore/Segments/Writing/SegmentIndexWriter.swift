package import TextIndex

/// Inserts and removes documents of a full-text index in segments, in the transaction that changes the documents.
///
/// Changes are collected in memory. ``flush()`` must be called before the transaction is committed, before a savepoint
/// and before the index is read; ``discard()`` after changes are rolled back. A few changes are recorded as recent
/// changes; many become a segment.
package final class SegmentIndexWriter {
  private let index: StoredFullTextIndex
  private let target: any SegmentTarget
  private let division: RowDivision
  private let columnCount: Int
  private let smallestSegment: Int
  private let memory: Int
  private let ranking: ResolvedRanking
  private var changes: [Int32: ShardChanges] = [:]
  private var size = 0
  /// Called with the segments of a shard after one was added.
  var didWriteSegment: ([ShardManifest.Entry]) -> Void = { _ in }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - target: writes the rows.
  ///   - division: the division of rows into shards.
  ///   - smallestSegment: the minimum number of bytes of terms in a shard for writing a segment.
  ///   - memory: the number of bytes of terms after which the changes are written.
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/outdated`` if the index must be rebuilt first.
  package init(
    _ index: StoredFullTextIndex, _ target: any SegmentTarget, _ division: RowDivision, smallestSegment: Int = 1 << 20,
    memory: Int = 256 << 20
  ) throws {
    try index.requireCurrent()
    self.index = index
    self.target = target
    self.division = division
    self.smallestSegment = smallestSegment
    self.memory = memory
    columnCount = index.definition.fields.count
    ranking = try ResolvedRanking(index.definition.ranking, for: index)
  }

  /// Adds a document.
  package func insert(_ document: AnalyzedDocument, rowID: Int64) throws {
    try change(rowID, document, sign: 1) { $0.add(document, $1) }
  }

  /// Removes a document.
  ///
  /// - Parameter document: the terms with which it was added.
  package func remove(_ document: AnalyzedDocument, rowID: Int64) throws {
    try change(rowID, document, sign: -1) { $0.remove(document, $1) }
  }

  /// Writes the changes.
  package func flush() throws {
    let changes = changes
    discard()
    for (shard, changes) in changes.sorted(by: { $0.key < $1.key }) { try write(changes, shard) }
  }

  private func write(_ changes: consuming ShardChanges, _ shard: Int32) throws {
    if try changes.segment == nil && isLarge(changes, shard) { try begin(shard, &changes) }
    if let segment = changes.segment { return try write(segment, changes, shard) }
    let recent = changes.documents.sorted { $0.key < $1.key }.map { number, change in
      RecentChange(
        number: number, added: change.added.map { ForwardDocument($0) },
        removed: change.removed.map { TermSequence($0) })
    }
    if !recent.isEmpty { try target.record(recent, changes.totals, shard: shard) }
  }

  /// Returns whether the changes of a shard become a segment.
  private func isLarge(_ changes: ShardChanges, _ shard: Int32) throws -> Bool {
    let count = changes.documents.count
    if changes.size >= smallestSegment || count >= SegmentIndexWriter.segmentDocumentCount { return true }
    // Counting the recent changes takes a round trip. This is done so rarely that it does not matter, but often enough
    // that there are seldom more than twice as many as intended.
    guard Int.random(in: 0..<SegmentIndexWriter.segmentDocumentCount) < count else { return false }
    let manifest = try target.manifest(shard: shard, columnCount: columnCount)
    return manifest.sequence - manifest.flushed >= SegmentMaintenance.recentLimit
  }

  /// The minimum number of changed documents in a shard for writing a segment.
  private static let segmentDocumentCount = 256

  /// Discards the changes since the last flush.
  package func discard() {
    changes = [:]
    size = 0
  }

  private func change(
    _ rowID: Int64, _ document: AnalyzedDocument, sign: Int64, _ body: (inout ShardChanges, UInt32) -> Void
  ) throws {
    let (shard, number) = try division.location(ofRow: rowID)
    var shardChanges = changes.removeValue(forKey: shard) ?? ShardChanges(totals: IndexTotals(columnCount: columnCount))
    if shardChanges.segment?.collector.contains(row: number) == true {
      // Postings that were collected cannot be taken out, but a newer segment can replace them.
      size -= shardChanges.memory
      try write(shardChanges, shard)
      shardChanges = ShardChanges(totals: IndexTotals(columnCount: columnCount))
    }
    body(&shardChanges, number)
    shardChanges.memory += document.size
    shardChanges.totals.rowCount += sign
    for (column, length) in document.lengths.enumerated() where column < columnCount {
      shardChanges.totals.tokenCounts[column] += sign * Int64(length)
    }
    if sign > 0 {
      shardChanges.size += document.size
      // Before more documents are sent, which the server would have to store before it answers.
      if shardChanges.size >= smallestSegment, shardChanges.segment == nil { try begin(shard, &shardChanges) }
    }
    changes[shard] = shardChanges
    size += document.size
    if size >= memory { try flush() }
  }

  /// Begins the segment that changes become.
  private func begin(_ shard: Int32, _ changes: inout ShardChanges) throws {
    let manifest = try target.manifest(shard: shard, columnCount: columnCount)
    let recent = try target.recentDocuments(shard: shard, columnCount: columnCount).map {
      (number: try division.location(ofRow: Int64($0.row)).number, document: $0)
    }
    let segment = BegunSegment(
      manifest: manifest, output: try target.makeSegment(shard: shard),
      collector: SegmentCollector(columnCount: columnCount),
      replaced: recent.compactMap { number, document in document.removed.map { ($0, number) } })
    changes.begin(segment, recent)
  }

  private func write(_ segment: BegunSegment, _ changes: ShardChanges, _ shard: Int32) throws {
    let builder = try segment.collector.finish()
    for (terms, row) in segment.replaced { builder.replace(terms, row: row) }
    for (number, change) in changes.documents.sorted(by: { $0.key < $1.key }) {
      if let removed = change.removed { builder.replace(TermSequence(removed), row: number) }
    }
    var totals = segment.manifest.totals
    totals.add(changes.totals)
    let entry = try builder.write(totals, ranking, to: segment.output)
    let segments = segment.manifest.segments + [entry]
    try target.replace(segments, adding: changes.totals, isFlushed: true, retired: [], shard: shard)
    didWriteSegment(segments)
  }
}

extension SegmentBuilder {
  /// Writes the documents as a segment.
  ///
  /// - Parameters:
  ///   - totals: the totals of the shard including the documents, for score bounds.
  ///   - ranking: the ranking of the index.
  func write(_ totals: IndexTotals, _ ranking: ResolvedRanking, to output: any SegmentOutput) throws
    -> ShardManifest.Entry
  {
    let lengths = try lengths()
    return try output.write(lengths, totals, ranking) { try write(lengths, $0, to: output) }
  }
}

extension SegmentOutput {
  /// Writes a segment and returns its entry of the manifest.
  ///
  /// - Parameter body: writes the terms, with a scorer for the lengths.
  func write(
    _ lengths: DocumentLengthRows, _ totals: IndexTotals, _ ranking: ResolvedRanking,
    _ body: (Scorer) throws -> SegmentHeader
  ) throws -> ShardManifest.Entry {
    let runs = LengthRuns(columnCount: lengths.columnCount, rowLimit: Int(lengths.rows.last ?? 0) + 1)
    runs.fill { $0.set(lengths) }
    try finish(try body(Scorer(runs, totals, ranking)))
    return ShardManifest.Entry(
      number: key.segment, documentCount: lengths.rows.count, size: size, firstRow: lengths.rows.first ?? 1,
      lastRow: lengths.rows.last ?? 0)
  }
}

extension IndexTotals {
  /// Adds other totals.
  mutating func add(_ other: IndexTotals) {
    rowCount += other.rowCount
    for (column, count) in other.tokenCounts.enumerated() where column < tokenCounts.count {
      tokenCounts[column] += count
    }
  }
}

@available(*, unavailable)
extension SegmentIndexWriter: Sendable {}
