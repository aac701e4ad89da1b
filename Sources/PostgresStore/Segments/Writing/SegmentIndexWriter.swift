package import TextIndex

/// Inserts and removes documents of a full-text index in segments, in the transaction that changes the documents.
///
/// Changes are collected in memory. ``flush()`` must be called before the transaction is committed, before a savepoint and
/// before the index is read; ``discard()`` after changes are rolled back. A few changes are recorded as recent changes;
/// many become a segment.
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
    memory: Int = 64 << 20
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
    try change(rowID, document, sign: 1) { $0.added = document }
  }

  /// Removes a document.
  ///
  /// - Parameter document: the terms with which it was added.
  package func remove(_ document: AnalyzedDocument, rowID: Int64) throws {
    try change(rowID, document, sign: -1) { change in
      // A document that was added since the last flush is not stored yet.
      if change.added == nil { change.removed = change.removed ?? document }
      change.added = nil
    }
  }

  /// Writes the changes.
  package func flush() throws {
    let changes = changes
    defer { discard() }
    for (shard, changes) in changes.sorted(by: { $0.key < $1.key }) {
      if try isLarge(changes, shard) {
        try writeSegment(changes, shard)
      } else {
        let recent = changes.documents.sorted { $0.key < $1.key }.map { number, change in
          RecentChange(
            number: number, added: change.added.map { ForwardDocument($0) },
            removed: change.removed.map { TermSequence($0) })
        }
        if !recent.isEmpty { try target.record(recent, changes.totals, shard: shard) }
      }
    }
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
    _ rowID: Int64, _ document: AnalyzedDocument, sign: Int64, _ body: (inout ShardChanges.Change) -> Void
  ) throws {
    let (shard, number) = try division.location(ofRow: rowID)
    var shardChanges = changes.removeValue(forKey: shard) ?? ShardChanges(totals: IndexTotals(columnCount: columnCount))
    if shardChanges.documents[number]?.added != nil { shardChanges.stopCollecting() }
    body(&shardChanges.documents[number, default: ShardChanges.Change()])
    shardChanges.totals.rowCount += sign
    for (column, length) in document.lengths.enumerated() where column < columnCount {
      shardChanges.totals.tokenCounts[column] += sign * Int64(length)
    }
    if sign > 0 {
      shardChanges.size += document.size
      if shardChanges.size >= smallestSegment {
        shardChanges.collect(document, number, columnCount: columnCount)
        // Before more documents are sent, which the server would have to store before it answers.
        if shardChanges.begun == nil { shardChanges.begun = try beginSegment(shard) }
      }
    }
    changes[shard] = shardChanges
    size += document.size
    if size >= memory { try flush() }
  }

  private func beginSegment(_ shard: Int32) throws -> BegunSegment {
    BegunSegment(
      manifest: try target.manifest(shard: shard, columnCount: columnCount),
      recentDocuments: try target.recentDocuments(shard: shard, columnCount: columnCount),
      output: try target.makeSegment(shard: shard))
  }

  private func writeSegment(_ changes: ShardChanges, _ shard: Int32) throws {
    let begun = try changes.begun ?? beginSegment(shard)
    let (manifest, recentDocuments) = (begun.manifest, begun.recentDocuments)
    var documents = changes.documents
    // Recent documents are not in the order of the added ones; adding them later would make a second run.
    let collector = recentDocuments.isEmpty ? changes.collector : nil
    let builder = try collector?.finish() ?? SegmentBuilder(columnCount: columnCount)
    // The segment also takes over the recent changes, so that all older versions of its documents are in segments.
    for recent in recentDocuments {
      let number = try division.location(ofRow: Int64(recent.row)).number
      if let removed = recent.removed { builder.replace(removed, row: number) }
      if documents[number] != nil {
        documents[number]?.removed = nil
      } else if let added = recent.added {
        try builder.add(added, row: number)
      }
    }
    for (number, change) in documents.sorted(by: { $0.key < $1.key }) {
      if let removed = change.removed { builder.replace(TermSequence(removed), row: number) }
      if collector == nil, let added = change.added { try builder.add(added, row: number) }
    }
    var totals = manifest.totals
    totals.add(changes.totals)
    let entry = try builder.write(totals, ranking, to: begun.output)
    let segments = manifest.segments + [entry]
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
