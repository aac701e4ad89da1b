import GRDB
import SQLiteAccess

/// Reads the terms of a segment and estimates their document frequencies.
///
/// Only leaves on which a term begins are read; they are listed in `t_idx`. Most pages of the doclists of common words,
/// which make up most of an index, are therefore skipped: their rows are estimated from their length, assuming the same
/// number of bytes per row as on the leaf of the term. If a doclist is on one leaf, as most are, the count is exact for
/// the segment. Rows that a younger segment deletes or replaces are included.
///
/// An estimate can be much too low if the positions on the leaf of the term are longer than elsewhere. Each term
/// therefore also has an upper bound, which assumes the shortest rows on the leaves that are not read.
struct SegmentTerms {
  private let table: FullTextTable
  private let db: Database
  /// The size at which a leaf is complete.
  let pageSize: Int
  private let leafNumbers: SQLStatement
  private let leaf: SQLStatement

  /// - Throws: ``FTS5FallbackRequired`` if the table format is unknown.
  init(_ table: FullTextTable, _ db: Database) throws {
    try DoclistFormat.requireKnown(table: table.name, db)
    (self.table, self.db) = (table, db)
    pageSize = try DoclistFormat.pageSize(table: table.name, db)
    leafNumbers = try SQLStatement(
      cached: "SELECT pgno, term FROM \(table.name)_idx WHERE segid = ? ORDER BY term", in: db)
    leaf = try SQLStatement(cached: "SELECT block FROM \(table.name)_data WHERE id = ?", in: db)
  }

  /// Returns the terms that begin on some of a segment's leaves.
  ///
  /// - Parameters:
  ///   - leafIndexes: the indexes of the leaves, ascending.
  ///   - search: selects terms; nil for all. The doclists of other terms are not read.
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, `DatabaseError`.
  func terms(
    on leaves: TermLeaves, at leafIndexes: some Sequence<Int>, acceptedBy search: TypoSearch? = nil
  ) throws -> TermList {
    var builder = TermListBuilder(search, pageSize: pageSize)
    try read(leafIndexes, of: leaves, into: &builder)
    return builder.list
  }

  private func read(
    _ leafIndexes: some Sequence<Int>, of leaves: TermLeaves, into builder: inout TermListBuilder
  ) throws {
    var following: Int?
    for leafIndex in leafIndexes {
      if let following, following != leafIndex { try finish(following, of: leaves, &builder) }
      let number = leaves.numbers[leafIndex]
      try read(number, of: leaves.segment) { try builder.add($0, number: number) }
      following = leafIndex + 1
    }
    if let following { try finish(following, of: leaves, &builder) }
  }

  /// Determines the end of the last doclist from the leaf on which the next term begins.
  private func finish(_ leafIndex: Int, of leaves: TermLeaves, _ builder: inout TermListBuilder) throws {
    guard builder.isPending else { return }
    guard leafIndex < leaves.count else { return builder.finish(lastLeaf: leaves.segment.lastLeaf) }
    let number = leaves.numbers[leafIndex]
    try read(number, of: leaves.segment) { try builder.finish($0, number: number) }
  }

  /// Calls `body` with a leaf.
  func read(
    _ number: Int64, of segment: SegmentStructure.Segment, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    leaf.bind(1, segment.block(number))
    defer { leaf.reset() }
    guard try leaf.step() else { throw DoclistCorruption.missingBlock }
    try body(leaf.row.blob(0))
  }

  /// Returns the segments of the table.
  func segments() throws -> [SegmentStructure.Segment] {
    let structure = try DoclistFormat.block(DoclistFormat.structureID, table: table.name, db)
    guard let segments = try SegmentStructure(structure)?.segments else { throw FTS5FallbackRequired.unknownFormat }
    return segments
  }

  /// Returns the leaves of a segment on which terms begin.
  func leaves(of segment: SegmentStructure.Segment) throws -> TermLeaves {
    leafNumbers.bind(1, segment.id)
    defer { leafNumbers.reset() }
    var leaves = TermLeaves(segment)
    var previous = segment.firstLeaf
    while try leafNumbers.step() {
      let number = leafNumbers.row.int64(0) >> 1
      guard number <= segment.lastLeaf else { throw DoclistCorruption.badNumber }
      guard number > segment.firstLeaf else { continue }
      guard number > previous else { throw DoclistCorruption.unordered }
      leaves.append(number, leafNumbers.row.blob(1))
      previous = number
    }
    return leaves
  }
}
