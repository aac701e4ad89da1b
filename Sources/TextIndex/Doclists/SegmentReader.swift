import GRDB
import SQLiteAccess

/// Reads doclists from the leaves of a segment; see ``DoclistFormat``.
final class SegmentReader {
  /// The terms to read.
  enum Selection {
    case term([UInt8])
    case terms(prefix: [UInt8])

    var bytes: [UInt8] {
      switch self {
      case .term(let bytes), .terms(prefix: let bytes): bytes
      }
    }
  }

  private let leaves: SQLStatement
  private let lookup: SQLStatement
  private let next: SQLStatement
  private let long: SQLStatement

  /// Creates a reader of an FTS5 table.
  init(table: String, _ db: Database) throws {
    leaves = try SQLStatement(cached: "SELECT id, block FROM \(table)_data WHERE id BETWEEN ? AND ?", in: db)
    lookup = try SQLStatement(
      cached: "SELECT pgno FROM \(table)_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1", in: db)
    next = try SQLStatement(
      cached: "SELECT pgno FROM \(table)_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1", in: db)
    long = try SQLStatement(
      cached: "SELECT pgno >> 1 FROM \(table)_idx WHERE segid = ? AND pgno & 1 AND pgno >> 1 BETWEEN ? AND ?", in: db)
  }

  /// Reads the doclists of the selected terms.
  ///
  /// - Parameter sink: receives the doclists in term order.
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, `DatabaseError`.
  func read<Sink: DoclistConsumer & ~Copyable>(
    _ selection: Selection, in segment: SegmentStructure.Segment, into sink: inout Sink
  ) throws {
    let wanted = [DoclistFormat.termPrefix] + selection.bytes
    var number = try firstLeaf(for: wanted, in: segment).number
    var scan = LeafScan(selection, wanted)
    leaves.bind(1, segment.block(number))
    leaves.bind(2, segment.block(segment.lastLeaf))
    defer { leaves.reset() }
    while try leaves.step() {
      guard leaves.row.int64(0) == segment.block(number) else { throw DoclistCorruption.missingBlock }
      guard try scan.scan(leaves.row.blob(1), into: &sink) else { return }
      number += 1
    }
    guard number > segment.lastLeaf else { throw DoclistCorruption.missingBlock }
    try scan.finish(into: &sink)
  }

  /// Returns an upper bound on the number of leaves of a term's doclist.
  func leafCount(of term: [UInt8], in segment: SegmentStructure.Segment) throws -> Int {
    let wanted = [DoclistFormat.termPrefix] + term
    let first = try firstLeaf(for: wanted, in: segment).number
    return try wanted.withUnsafeBytes { bytes in
      next.bind(1, segment.id)
      next.bind(2, blob: bytes)
      defer { next.reset() }
      let last = try next.step() ? next.row.int64(0) >> 1 : segment.lastLeaf
      return Int(max(0, min(last, segment.lastLeaf) - first)) + 1
    }
  }

  /// Returns the leaf on which a term's doclist begins if the last doclist that begins there is long; otherwise nil.
  /// The segment need not contain the term.
  func longDoclist(of term: [UInt8], in segment: SegmentStructure.Segment) throws -> Int64? {
    let leaf = try firstLeaf(for: [DoclistFormat.termPrefix] + term, in: segment)
    return leaf.endsLong ? leaf.number : nil
  }

  /// Returns the leaves of a segment whose last doclist is long.
  func longDoclists(of segment: SegmentStructure.Segment) throws -> [Int64] {
    long.bind(1, segment.id)
    long.bind(2, segment.firstLeaf)
    long.bind(3, segment.lastLeaf)
    defer { long.reset() }
    var leaves: [Int64] = []
    while try long.step() { leaves.append(long.row.int64(0)) }
    return leaves
  }

  /// Returns a copy of the leaves of the last doclist that begins on a leaf, for another thread.
  func longDoclist(from leaf: Int64, in segment: SegmentStructure.Segment) throws -> SegmentPart {
    var copy = SegmentPart()
    var number = leaf
    leaves.bind(1, segment.block(number))
    leaves.bind(2, segment.block(segment.lastLeaf))
    defer { leaves.reset() }
    while try leaves.step() {
      guard leaves.row.int64(0) == segment.block(number) else { throw DoclistCorruption.missingBlock }
      let block = leaves.row.blob(1)
      copy.appendBlock(number, UnsafeRawBufferPointer(block))
      // The doclist ends on the first of the following leaves on which a term begins.
      if number > leaf, try !LeafTerms(block).isAtEnd { return copy }
      number += 1
    }
    guard number > segment.lastLeaf else { throw DoclistCorruption.missingBlock }
    return copy
  }

  /// Returns the leaf that contains a term, if the segment contains it, and whether the last doclist that begins there
  /// is long.
  private func firstLeaf(
    for term: [UInt8], in segment: SegmentStructure.Segment
  ) throws -> (number: Int64, endsLong: Bool) {
    try term.withUnsafeBytes { bytes in
      lookup.bind(1, segment.id)
      lookup.bind(2, blob: bytes)
      defer { lookup.reset() }
      guard try lookup.step() else { return (segment.firstLeaf, false) }
      let (leaf, endsLong) = (lookup.row.int64(0) >> 1, lookup.row.int64(0) & 1 == 1)
      guard leaf <= segment.lastLeaf else { throw DoclistCorruption.badNumber }
      return leaf < segment.firstLeaf ? (segment.firstLeaf, false) : (leaf, endsLong)
    }
  }
}
