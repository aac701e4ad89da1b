/// Collects a doclist of a segment and the leaf of each posting.
struct BoundsSink: DoclistConsumer, ~Copyable {
  private var sink: DoclistSink
  /// The number of rowids up to and including each leaf.
  private var ends: [Int] = []
  private let firstLeaf: Int64

  /// - Parameter firstLeaf: the leaf on which the doclist begins.
  init(columnCount: Int, firstLeaf: Int64) {
    sink = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
    self.firstLeaf = firstLeaf
  }

  mutating func beginDoclist(_ term: [UInt8]) { sink.beginDoclist(term) }

  mutating func readRows(_ piece: ByteReader) throws {
    try sink.readRows(piece)
    endLeaf()
  }

  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws {
    try sink.continueDoclist(piece, firstRow: firstRow)
    endLeaf()
  }

  mutating func endDoclist() throws { try sink.endDoclist() }

  private mutating func endLeaf() {
    // A continued poslist belongs to the leaf of its rowid.
    ends.append(sink.memory.rows.count + (sink.missing > 0 ? 1 : 0))
  }

  /// Returns the bounds of the doclist.
  ///
  /// - Parameters:
  ///   - term: the doclist's term.
  ///   - scorer: computes frequencies.
  ///   - superseded: the rows of younger segments, ascending. Their frequencies do not count.
  /// - Returns: nil for a doclist without rows.
  consuming func finish(_ term: [UInt8], _ scorer: Scorer, superseded: [UInt32] = []) -> DoclistBounds? {
    let (firstLeaf, ends) = (firstLeaf, ends)
    let postings = sink.finishUnmerged()
    // The rows and frequencies are read through pointers that are valid only while `postings` exists.
    return withExtendedLifetime(postings) {
      BoundsSink.bounds(of: term, postings, ends, firstLeaf: firstLeaf, scorer, superseded)
    }
  }

  private static func bounds(
    of term: [UInt8], _ postings: Postings, _ ends: [Int], firstLeaf: Int64, _ scorer: Scorer, _ superseded: [UInt32]
  ) -> DoclistBounds? {
    guard let lastRow = UInt32(exactly: postings.lastRow) else { return nil }
    var documentCount = 0
    var leaves: [DoclistBounds.Leaf] = []
    var start = 0
    for (offset, end) in ends.enumerated() where end > start && end <= postings.count {
      var best = 0.0
      for number in start..<end where postings.frequencies[number] != 0 {
        documentCount += 1
        let row = postings.rows[number]
        // A deleted document has no length, and its frequency would raise the bound above that of any other document.
        if !scorer.hasLength(row) || !superseded.isEmpty && superseded.containsSorted(row) { continue }
        best = max(best, scorer.frequency(row, postings.frequencies[number], postings.overflow))
      }
      leaves.append(
        DoclistBounds.Leaf(
          number: firstLeaf + Int64(offset), firstRow: postings.rows[start],
          frequency: best == 0 ? 0 : Float(best).nextUp))
      start = end
    }
    return DoclistBounds(
      term: term, normalization: scorer.normalization, documentCount: documentCount, lastRow: lastRow, leaves: leaves)
  }
}
