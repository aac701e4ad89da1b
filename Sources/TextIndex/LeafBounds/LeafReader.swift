import GRDB
import SQLiteAccess

/// Reads individual leaves of doclists (see ``DoclistFormat``), and their bounds.
final class LeafReader {
  private let blocks: SQLStatement
  private let columnCount: Int

  init(table: String, columnCount: Int, _ db: Database) throws {
    self.columnCount = columnCount
    blocks = try SQLStatement(cached: "SELECT block FROM \(table)_data WHERE id = ?", in: db)
  }

  /// Returns the bounds of the long doclist that begins on a leaf; nil if there are none.
  func bounds(from leaf: Int64, in segment: SegmentStructure.Segment) throws -> DoclistBounds? {
    let id = DoclistBounds.block(leaf, in: segment)
    return try withBlock(id) { $0.flatMap { DoclistBounds($0, id: id) } }
  }

  /// Returns whether a block with the ID of these bounds exists.
  func hasBounds(from leaf: Int64, in segment: SegmentStructure.Segment) throws -> Bool {
    try withBlock(DoclistBounds.block(leaf, in: segment)) { $0 != nil }
  }

  /// Returns the last term that begins on a leaf.
  func lastTerm(on leaf: Int64, in segment: SegmentStructure.Segment) throws -> [UInt8] {
    try withLeaf(leaf, in: segment) { try LeafReader.last(of: $0).term }
  }

  /// Reads the part of a doclist on its first leaf. It must be the last doclist that begins on that leaf.
  ///
  /// - Returns: the postings, including delete markers.
  /// - Throws: ``DoclistCorruption`` if the doclist is damaged or belongs to another term, `DatabaseError`.
  func firstPostings(
    of term: [UInt8], on leaf: Int64, in segment: SegmentStructure.Segment
  ) throws -> Postings {
    try postings(on: leaf, in: segment) { terms, sink in
      let (last, content) = try LeafReader.last(of: terms)
      guard last == term, let content else { throw DoclistCorruption.badNumber }
      try sink.readRows(content)
    }
  }

  /// Reads the part of a doclist on a later leaf, from the first rowid on that leaf.
  func nextPostings(on leaf: Int64, in segment: SegmentStructure.Segment) throws -> Postings {
    try postings(on: leaf, in: segment) { terms, sink in
      let content = terms.continuation
      guard let first = terms.firstRow, first >= content.position, first < content.end else {
        throw DoclistCorruption.badNumber
      }
      try sink.continueDoclist(ByteReader(first, end: content.end), firstRow: first)
    }
  }

  private func postings(
    on leaf: Int64, in segment: SegmentStructure.Segment, _ read: (LeafTerms, inout DoclistSink) throws -> Void
  ) throws -> Postings {
    var sink = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
    try withLeaf(leaf, in: segment) { try read($0, &sink) }
    // The last poslist may continue on the next leaf.
    var number = leaf
    while sink.missing > 0 {
      number += 1
      guard number <= segment.lastLeaf else { throw DoclistCorruption.truncated }
      try withLeaf(number, in: segment) { terms in
        let start = terms.continuation.position
        let rest = ByteReader(start, end: start + min(sink.missing, terms.continuation.count))
        try sink.continueDoclist(rest, firstRow: nil)
      }
    }
    return sink.finishUnmerged()
  }

  /// Returns the last term that begins on a leaf, and the part of its doclist on the leaf.
  static func last(of terms: LeafTerms) throws -> (term: [UInt8], content: ByteReader?) {
    var terms = terms
    var term: [UInt8] = []
    var last: ByteReader?
    while let content = try terms.next(&term) { last = content }
    guard term.first == DoclistFormat.termPrefix else { throw DoclistCorruption.badNumber }
    return (Array(term.dropFirst()), last)
  }

  private func withLeaf<T>(
    _ leaf: Int64, in segment: SegmentStructure.Segment, _ body: (LeafTerms) throws -> T
  ) throws -> T {
    try withBlock(segment.block(leaf)) { block in
      guard let block else { throw DoclistCorruption.missingBlock }
      return try body(LeafTerms(block))
    }
  }

  private func withBlock<T>(_ id: Int64, _ body: (UnsafeBufferPointer<UInt8>?) throws -> T) throws -> T {
    blocks.bind(1, id)
    defer { blocks.reset() }
    return try body(blocks.step() ? blocks.row.blob(0) : nil)
  }
}
