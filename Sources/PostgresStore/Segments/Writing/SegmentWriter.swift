import TextIndex

/// Writes a segment term by term: dictionary, blocks of postings with score bounds, positions and lengths.
///
/// Memory does not depend on the size of the segment except for the lengths of its documents.
struct SegmentWriter {
  private let columnCount: Int
  private let scorer: Scorer
  private let sink: any SegmentSink
  private var pages = DictionaryPageBuilder()
  private var header = SegmentHeader()
  /// The positions of short lists, until there are enough for a row.
  private var positions: [UInt8] = []

  /// The size in bytes at which positions of short lists become a row.
  private static let positionRowSize = 4096

  /// - Parameters:
  ///   - columnCount: the number of columns of the index.
  ///   - scorer: computes score bounds; it knows the lengths of the documents by their numbers in the shard.
  ///   - sink: receives the rows of the segment.
  init(columnCount: Int, _ scorer: Scorer, _ sink: any SegmentSink) {
    self.columnCount = columnCount
    self.scorer = scorer
    self.sink = sink
    header.columnCount = columnCount
    header.normalization = scorer.normalization
  }

  /// Appends a term that is greater than all earlier ones.
  ///
  /// - Parameters:
  ///   - postings: the postings with positions; rows are numbers in the shard.
  ///   - replacedCount: the number of postings of the term in older segments that documents of this segment replace.
  mutating func append(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: Postings, replacedCount: Int
  ) throws {
    guard postings.count > 0 || replacedCount > 0 else { return }
    var entry = DictionaryEntry()
    entry.documentFrequency = postings.count
    entry.replacedCount = replacedCount
    if postings.count > DictionaryEntry.inlineLimit {
      entry.content = try blocks(postings)
    } else if postings.count > 0 {
      entry.content = try inline(postings)
    }
    if let (first, page) = pages.append(term, entry) { try append(page, first) }
  }

  /// Appends a term, greater than all earlier ones, whose short list is encoded.
  ///
  /// - Parameters:
  ///   - block: the list as it is in the dictionary.
  ///   - poslists: its positions.
  mutating func append(
    _ term: UnsafeBufferPointer<UInt8>, documentFrequency: Int, replacedCount: Int, block: [UInt8],
    positions poslists: ArraySlice<UInt8>
  ) throws {
    let offset = positions.count
    positions += poslists
    var entry = DictionaryEntry()
    entry.documentFrequency = documentFrequency
    entry.replacedCount = replacedCount
    entry.content = try inline(block, positionsFrom: offset)
    if let (first, page) = pages.append(term, entry) { try append(page, first) }
  }

  /// Writes the remaining rows and the lengths.
  ///
  /// - Parameters:
  ///   - lengths: the lengths of all documents of the segment.
  ///   - replacedRows: the documents that the segment replaces or deletes in older segments, ascending.
  /// - Returns: the header, which makes the segment complete.
  mutating func finish(_ lengths: DocumentLengthRows, replacedRows: [UInt32]) throws -> SegmentHeader {
    if let (first, page) = pages.finish() { try append(page, first) }
    try endPositionRow()
    header.lengthBlockCount = lengths.blockCount
    for number in 0..<lengths.blockCount {
      try sink.append(lengths.block(number), .lengths, Int32(truncatingIfNeeded: number))
    }
    header.replacedRows = replacedRows
    return header
  }

  private mutating func append(_ page: [UInt8], _ firstTerm: [UInt8]) throws {
    try sink.append(page: page, firstTerm: firstTerm)
    header.pageCount += 1
  }

  private mutating func inline(_ postings: Postings) throws -> DictionaryEntry.Content {
    var block: [UInt8] = []
    BlockFormat.append(postings, 0..<postings.count, columnCount: columnCount, to: &block)
    let offset = positions.count
    for number in 0..<postings.count { postings.appendPoslist(number, to: &positions) }
    return try inline(block, positionsFrom: offset)
  }

  /// Returns a short list whose positions are the last ones of ``positions``.
  private mutating func inline(_ block: [UInt8], positionsFrom offset: Int) throws -> DictionaryEntry.Content {
    let range = DictionaryEntry.PositionRange(
      row: Int32(truncatingIfNeeded: header.positionRowCount), offset: offset, count: positions.count - offset)
    if positions.count >= SegmentWriter.positionRowSize { try endPositionRow() }
    return .inline(block, positions: range)
  }

  private mutating func endPositionRow() throws {
    guard !positions.isEmpty else { return }
    try sink.append(positions, .positions, Int32(truncatingIfNeeded: header.positionRowCount))
    header.positionRowCount += 1
    positions.removeAll(keepingCapacity: true)
  }

  private mutating func blocks(_ postings: Postings) throws -> DictionaryEntry.Content {
    // The rows of positions of a list are consecutive.
    try endPositionRow()
    let (first, firstPositions) = (header.blockCount, header.positionRowCount)
    var blocks: [DictionaryEntry.Block] = []
    for start in stride(from: 0, to: postings.count, by: BlockFormat.length) {
      let range = start..<min(postings.count, start + BlockFormat.length)
      var (block, poslists): ([UInt8], [UInt8]) = ([], [])
      BlockFormat.append(postings, range, columnCount: columnCount, to: &block)
      var best = 0.0
      for number in range {
        postings.appendPoslist(number, to: &poslists)
        best = max(best, scorer.frequency(postings.rows[number], postings.frequencies[number], postings.overflow))
      }
      try sink.append(block, .blocks, Int32(truncatingIfNeeded: header.blockCount))
      try sink.append(poslists, .positions, Int32(truncatingIfNeeded: header.positionRowCount))
      header.blockCount += 1
      header.positionRowCount += 1
      blocks.append(DictionaryEntry.Block(lastRow: postings.rows[range.upperBound - 1], frequency: Float(best).nextUp))
    }
    return .blocks(
      first: Int32(truncatingIfNeeded: first), positions: Int32(truncatingIfNeeded: firstPositions),
      firstRow: postings.rows[0], blocks)
  }
}
