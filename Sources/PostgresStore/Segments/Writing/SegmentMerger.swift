import TextIndex

/// Merges successive segments of a shard into one, without the documents that newer ones among them override.
///
/// Pages, blocks and positions are read in batches. Memory is limited by the lengths of the documents and by the longest
/// posting list.
struct SegmentMerger {
  /// The segments, oldest first.
  private let segments: [OpenSegment]
  /// For each segment, the numbers of documents that newer segments override, ascending.
  private let hidden: [[UInt32]]
  private let storage: any SegmentStorage
  private let columnCount: Int
  /// Whether no older segment remains, so that replaced documents are forgotten.
  private let includesOldest: Bool

  /// The numbers of pages that are read at once for each segment, and of blocks.
  private static let pageBatch = 64
  private static let blockBatch = 2048

  /// - Parameters:
  ///   - segments: successive segments of a shard, oldest first.
  ///   - includesOldest: whether the first one is the oldest segment of the shard.
  init(_ segments: [OpenSegment], includesOldest: Bool, columnCount: Int, _ storage: any SegmentStorage) {
    self.segments = segments
    self.storage = storage
    self.columnCount = columnCount
    self.includesOldest = includesOldest
    var newer: [UInt32] = []
    var hidden: [[UInt32]] = []
    for segment in segments.reversed() {
      hidden.append(newer)
      newer = newer.merged(with: segment.header.replacedRows)
    }
    self.hidden = hidden.reversed()
  }

  /// Reads the lengths of the documents that remain.
  func lengths() throws -> DocumentLengthRows {
    var all: [(row: UInt32, lengths: ArraySlice<UInt32>)] = []
    for (segment, hidden) in zip(segments, hidden) {
      let keys = (0..<segment.header.lengthBlockCount).map {
        PayloadKey(segment.key, .lengths, Int32(truncatingIfNeeded: $0))
      }
      var documents = DocumentLengthRows(columnCount: columnCount)
      for payload in keys.isEmpty ? [] : try storage.payloads(keys) {
        try payload.withUnsafeBufferPointer { try documents.append(block: $0, base: 0) }
      }
      for (number, row) in documents.rows.enumerated() where !hidden.containsSorted(row) {
        all.append((row, documents.lengths(number)))
      }
    }
    all.sort { $0.row < $1.row }
    var merged = DocumentLengthRows(columnCount: columnCount)
    for (row, lengths) in all {
      guard merged.rows.last.map({ $0 < row }) ?? true else { throw SegmentDamage.unordered }
      merged.append(row, lengths)
    }
    return merged
  }

  /// Writes the merged segment.
  ///
  /// - Parameters:
  ///   - lengths: the result of ``lengths()``.
  ///   - scorer: computes score bounds from these lengths.
  func write(_ lengths: DocumentLengthRows, _ scorer: Scorer, to sink: any SegmentSink) throws -> SegmentHeader {
    var writer = SegmentWriter(columnCount: columnCount, scorer, sink)
    var dictionaries = MergedDictionaries(segments.map(\.key), pageBatch: SegmentMerger.pageBatch)
    var batch: [MergedTerm] = []
    var blockCount = 0
    while let next = try dictionaries.next(storage) {
      let term = MergedTerm(
        text: next.term,
        parts: next.entries.map { ($0.segment, SegmentTerm($0.entry, in: segments[$0.segment].key)) })
      batch.append(term)
      blockCount += term.parts.reduce(0) { $0 + $1.term.blockCount }
      if blockCount >= SegmentMerger.blockBatch {
        try write(batch, to: &writer)
        (batch, blockCount) = ([], 0)
      }
    }
    try write(batch, to: &writer)
    let replaced = includesOldest ? [] : segments.reduce(into: []) { $0 = $0.merged(with: $1.header.replacedRows) }
    return try writer.finish(lengths, replacedRows: replaced)
  }

  /// A term with its entries in the segments that contain it, oldest first.
  private struct MergedTerm {
    let text: [UInt8]
    let parts: [(segment: Int, term: SegmentTerm)]
  }

  private func write(_ batch: [MergedTerm], to writer: inout SegmentWriter) throws {
    let parts = batch.flatMap(\.parts).map(\.term)
    try storage.load(parts.map { BlockRequest($0, 0..<$0.blockCount, withPositions: true) })
    var decoder = BlockDecoder(columnCount: columnCount)
    for term in batch {
      var assembler = PostingsAssembler(columnCount: columnCount, keepingPositions: true)
      var (stored, replaced) = (0, 0)
      for (number, part) in term.parts {
        stored += part.entry?.documentFrequency ?? 0
        replaced += part.entry?.replacedCount ?? 0
        for block in 0..<part.blockCount {
          try part.append(
            block: block, base: 0, withPositions: true, hiding: hidden[number], &decoder, to: &assembler)
        }
      }
      let postings = assembler.finish()
      // Postings that are left out were counted as replaced by one of the merged segments.
      let remaining = includesOldest ? 0 : replaced - (stored - postings.count)
      guard remaining >= 0 else { throw SegmentDamage.badNumber }
      try term.text.withUnsafeBufferPointer { try writer.append($0, postings, replacedCount: remaining) }
    }
  }
}
