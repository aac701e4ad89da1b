import TextIndex

extension SegmentPostingStore {
  /// Returns the postings of the blocks that contain the rows. Their positions are read in one round trip.
  func positions(of terms: [String], in rows: [UInt32]) throws -> [Postings] {
    guard !rows.isEmpty else { return terms.map { _ in none } }
    let found = try lookUp(terms)
    let blocks = found.map { segments in
      segments.enumerated().map { number, term in
        term.blocks(containing: rows, base: snapshot.segments[number].segment.base)
      }
    }
    try storage.load(
      zip(found, blocks).flatMap { segments, blocks in
        zip(segments, blocks).flatMap { term, blocks in
          blocks.map { BlockRequest(term, $0..<$0 + 1, withPositions: true) }
        }
      })
    return try zip(terms, zip(found, blocks)).map { text, part in try positions(of: text, part.0, part.1, in: rows) }
  }

  private var none: Postings { PostingsAssembler(columnCount: columnCount, keepingPositions: true).finish() }

  /// - Parameters:
  ///   - segments: the term in each segment.
  ///   - blocks: the blocks to decode in each segment.
  private func positions(
    of text: String, _ segments: [SegmentTerm], _ blocks: [[Int]], in rows: [UInt32]
  ) throws -> Postings {
    var postings = PostingsAssembler(columnCount: columnCount, keepingPositions: true)
    var decoder = BlockDecoder(columnCount: columnCount)
    for (number, (term, blocks)) in zip(segments, blocks).enumerated() {
      let view = snapshot.segments[number]
      for block in blocks {
        try term.append(
          block: block, base: view.segment.base, withPositions: true, hiding: view.hidden, &decoder, to: &postings)
      }
    }
    try appendRecent(text, to: &postings)
    return postings.finish()
  }
}

extension SegmentTerm {
  /// Returns the blocks that may contain rows.
  ///
  /// - Parameters:
  ///   - rows: the rows, ascending.
  ///   - base: the row of the shard's document 0.
  /// - Complexity: O(b log n) in the number of blocks and rows.
  func blocks(containing rows: [UInt32], base: UInt32) -> [Int] {
    guard case .blocks(_, _, let firstRow, let blocks) = entry?.content else { return Array(0..<blockCount) }
    var first = UInt64(base) + UInt64(firstRow)
    return blocks.indices.filter { number in
      let last = UInt64(base) + UInt64(blocks[number].lastRow)
      defer { first = last + 1 }
      let next = rows.partitionPoint { UInt64($0) >= first }
      return next < rows.count && UInt64(rows[next]) <= last
    }
  }
}
