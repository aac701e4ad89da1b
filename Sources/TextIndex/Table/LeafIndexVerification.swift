import GRDB
import SQLiteAccess

/// Compares the rows of `t_idx` for a segment with the segment's leaves: a search for any term of the segment must
/// reach the leaf that contains the term.
///
/// A search uses the last row whose separator is less than or equal to the term, or the first leaf if there is none. So
/// each leaf on which a term begins needs a row whose separator is greater than all earlier terms and not greater than
/// the first term on the leaf.
struct LeafIndexVerification {
  private let segment: SegmentStructure.Segment
  private let rows: SQLStatement
  /// The last term of the leaves checked so far.
  private var term: [UInt8] = []
  /// The leaf of the current row and its separator; nil after the last row.
  private var row: (leaf: Int64, separator: [UInt8])?

  init(of segment: SegmentStructure.Segment, table: String, _ db: Database) throws {
    self.segment = segment
    rows = try SQLStatement(
      cached:
        "SELECT pgno, term, typeof(pgno) = 'integer' AND typeof(term) = 'blob' FROM \(table)_idx WHERE segid = ? ORDER BY term",
      in: db)
    rows.bind(1, segment.id)
    try advance()
    // The first leaves of a segment that is being merged have been deleted, but not their rows.
    while let row, row.leaf < segment.firstLeaf { try advance() }
  }

  /// Checks the next leaf.
  ///
  /// - Throws: ``DoclistCorruption`` if its row is missing or wrong.
  mutating func check(_ leaf: UnsafeBufferPointer<UInt8>, _ number: Int64) throws {
    var terms = try LeafTerms(leaf)
    guard !terms.isAtEnd else { return }
    var current: [UInt8] = []
    guard try terms.next(&current) != nil else { return }
    guard let row, row.leaf == number else { throw DoclistCorruption.missingSeparator }
    let isAboveEarlier = number == segment.firstLeaf || term.lexicographicallyPrecedes(row.separator)
    guard isAboveEarlier, !current.lexicographicallyPrecedes(row.separator) else {
      throw DoclistCorruption.missingSeparator
    }
    try advance()
    while try terms.next(&current) != nil {}
    term = current
  }

  /// Checks that there are no more rows than leaves.
  func finish() throws {
    guard row == nil else { throw DoclistCorruption.missingSeparator }
  }

  /// Resets the statement that reads the rows.
  func end() { rows.reset() }

  private mutating func advance() throws {
    guard try rows.step() else {
      row = nil
      return
    }
    guard rows.row.int64(2) == 1 else { throw DoclistCorruption.badNumber }
    row = (rows.row.int64(0) >> 1, Array(rows.row.blob(1)))
  }
}
