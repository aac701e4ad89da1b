package import GRDB
import SQLiteAccess

/// The rows that contain a term in an FTS5 table with `detail=none`, as of the snapshot of a transaction.
package final class TermRows {
  private let segments: [SegmentStructure.Segment]
  private let reader: SegmentReader

  /// The maximum number of rows on a page of FTS5's default size: each row takes at least one byte.
  private static let rowsPerPage = 4096
  /// The maximum number of pages for which capacity is reserved: 16 MiB. In a damaged index, the estimated number of
  /// pages may be any number.
  private static let maximumReservedPages = 1024

  /// Opens a table with one column.
  ///
  /// - Throws: ``FTS5FallbackRequired`` if FTS5 must run the query, ``DoclistCorruption``, `DatabaseError`.
  package init(table: String, _ db: Database) throws {
    // The current transaction's changes are in FTS5's memory, not yet in the segments.
    guard !db.hasWritten else { throw FTS5FallbackRequired.unwritten }
    try DoclistFormat.requireKnown(table: table, db)
    let record = try DoclistFormat.block(DoclistFormat.structureID, table: table, db)
    guard let structure = try SegmentStructure(record) else { throw FTS5FallbackRequired.unknownFormat }
    segments = structure.segments
    reader = try SegmentReader(table: table, db)
  }

  /// The number of segments of the table.
  package var segmentCount: Int { segments.count }

  /// Returns the estimated number of pages of a term's posting list.
  package func pageCount(of term: [UInt8]) throws -> Int {
    try segments.reduce(0) { try $0 + reader.leafCount(of: term, in: $1) }
  }

  /// Returns the rows that contain a term, ascending.
  ///
  /// - Parameter pageCount: the result of ``pageCount(of:)``, which determines the reserved capacity up to a limit.
  package func rows(of term: [UInt8], pageCount: Int) throws -> [UInt32] {
    try rows(
      of: term, into: RowListSink(capacity: min(pageCount, TermRows.maximumReservedPages) * TermRows.rowsPerPage))
  }

  /// Returns those of some rows that contain a term, ascending.
  ///
  /// - Parameter candidates: the rows, ascending.
  package func rows(of term: [UInt8], among candidates: [UInt32]) throws -> [UInt32] {
    try rows(of: term, into: RowListSink(among: candidates))
  }

  private func rows(of term: [UInt8], into sink: consuming RowListSink) throws -> [UInt32] {
    // The oldest segment is read first, so that rows are appended in ascending order.
    for segment in segments.reversed() { try reader.read(.term(term), in: segment, into: &sink) }
    return sink.finish()
  }
}
