import TextIndex

/// Merges successive segments of a shard into one, without the documents that newer ones among them override.
///
/// Pages, blocks and positions are read in batches. Memory is limited by the lengths of the documents and by the
/// longest posting list.
struct PostgresSegmentMerger {
  /// The segments, oldest first.
  private let segments: [OpenSegment]
  /// For each segment, the numbers of documents that newer segments override, ascending.
  private let hidden: [[UInt32]]
  private let storage: any SegmentStorage
  private let columnCount: Int
  /// Whether no older segment remains, so that replaced documents are removed.
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
    var lists = try zip(segments, hidden).map { try lengths(of: $0, hiding: $1) }
    // Pairs are merged, so a document is copied once for each power of two of the number of segments.
    while lists.count > 1 {
      lists = stride(from: 0, to: lists.count, by: 2).map { first in
        first + 1 < lists.count ? lists[first].merged(with: lists[first + 1]) : lists[first]
      }
    }
    return lists.first ?? DocumentLengthRows(columnCount: columnCount)
  }

  /// Reads the lengths of the documents of a segment without hidden ones.
  private func lengths(of segment: OpenSegment, hiding hidden: [UInt32]) throws -> DocumentLengthRows {
    let keys = (0..<segment.header.lengthBlockCount).map {
      PayloadKey(segment.key, .lengths, Int32(truncatingIfNeeded: $0))
    }
    var documents = DocumentLengthRows(columnCount: columnCount)
    for payload in keys.isEmpty ? [] : try storage.payloads(keys) {
      try payload.withUnsafeBufferPointer { try documents.append(block: $0, base: 0) }
    }
    guard !hidden.isEmpty else { return documents }
    var remaining = DocumentLengthRows(columnCount: columnCount)
    for (number, row) in documents.rows.enumerated() where !hidden.containsSorted(row) {
      remaining.append(row, documents.lengths(number))
    }
    return remaining
  }

  /// Writes the merged segment.
  ///
  /// - Parameters:
  ///   - lengths: the result of ``lengths()``.
  ///   - scorer: computes score bounds from these lengths.
  func write(_ lengths: DocumentLengthRows, _ scorer: Scorer, to sink: any SegmentSink) throws -> SegmentHeader {
    var writer = SegmentWriter(columnCount: columnCount, scorer, sink)
    var dictionaries = MergedDictionaries(segments.map(\.key), pageBatch: PostgresSegmentMerger.pageBatch)
    var batch: [MergedDictionaries.Term] = []
    var blockCount = 0
    while let term = try dictionaries.next(storage) {
      batch.append(term)
      blockCount += term.entries.reduce(0) { $0 + max(1, $1.entry.blockCount) }
      if blockCount >= PostgresSegmentMerger.blockBatch {
        try write(batch, to: &writer)
        batch.removeAll(keepingCapacity: true)
        blockCount = 0
      }
    }
    try write(batch, to: &writer)
    let replaced = includesOldest ? [] : segments.reduce(into: []) { $0 = $0.merged(with: $1.header.replacedRows) }
    return try writer.finish(lengths, replacedRows: replaced)
  }

  private func write(_ batch: [MergedDictionaries.Term], to writer: inout SegmentWriter) throws {
    let payloads = try payloads(of: batch)
    var decoder = BlockDecoder(columnCount: columnCount)
    for (term, entries) in batch {
      if entries.count == 1, try copy(term, entries[0], payloads, &decoder, to: &writer) { continue }
      var assembler = PostingsAssembler(columnCount: columnCount, keepingPositions: true)
      var (stored, replaced) = (0, 0)
      for (segment, entry) in entries {
        stored += entry.documentFrequency
        replaced += entry.replacedCount
        for number in 0..<entry.blockCount {
          try entry.append(
            block: number, in: segments[segment].key, hiding: hidden[segment], &decoder, to: &assembler
          ) { payloads[$0] }
        }
      }
      let postings = assembler.finish()
      // Postings that are left out were counted as replaced by one of the merged segments.
      let remaining = includesOldest ? 0 : replaced - (stored - postings.count)
      guard remaining >= 0 else { throw SegmentDamage.badNumber }
      try term.withUnsafeBufferPointer { try writer.append($0, postings, replacedCount: remaining) }
    }
  }

  /// Copies the short list of a term that one segment contains, if none of its documents is left out: its rows are
  /// numbers in the shard, which do not change. Most terms are in one segment.
  ///
  /// - Returns: false if the list must be decoded.
  private func copy(
    _ term: [UInt8], _ part: (segment: Int, entry: DictionaryEntry), _ payloads: [PayloadKey: [UInt8]],
    _ decoder: inout BlockDecoder, to writer: inout SegmentWriter
  ) throws -> Bool {
    guard case .inline(let block, let range) = part.entry.content else { return false }
    let hidden = hidden[part.segment]
    if !hidden.isEmpty {
      try block.withUnsafeBufferPointer { try decoder.decodeRows($0, base: 0, expected: part.entry.documentFrequency) }
      if decoder.rows.contains(where: { hidden.containsSorted($0) }) { return false }
    }
    let key = PayloadKey(segments[part.segment].key, .positions, range.row)
    guard let positions = payloads[key] else { throw MissingSegmentRow(key.segment) }
    guard range.offset + range.count <= positions.count else { throw SegmentDamage.truncated }
    try term.withUnsafeBufferPointer {
      try writer.append(
        $0, documentFrequency: part.entry.documentFrequency,
        replacedCount: includesOldest ? 0 : part.entry.replacedCount,
        block: block, positions: positions[range.offset..<range.offset + range.count])
    }
    return true
  }

  /// Reads the blocks and positions of terms.
  private func payloads(of batch: [MergedDictionaries.Term]) throws -> [PayloadKey: [UInt8]] {
    var keys: [PayloadKey] = []
    // Successive short lists of a segment share a row of positions.
    var last: [Int32?] = Array(repeating: nil, count: segments.count)
    for (_, entries) in batch {
      for (segment, entry) in entries {
        let key = segments[segment].key
        if case .inline(_, let range) = entry.content {
          if last[segment] == range.row { continue }
          last[segment] = range.row
        }
        for number in 0..<entry.blockCount {
          if let block = entry.blockKey(number, in: key) { keys.append(block) }
          if let positions = entry.positionKey(number, in: key) { keys.append(positions) }
        }
      }
    }
    guard !keys.isEmpty else { return [:] }
    return Dictionary(zip(keys, try storage.payloads(keys)), uniquingKeysWith: { first, _ in first })
  }
}
