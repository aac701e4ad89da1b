import GRDB
import GRDBSQLite
import PatternMatching

/// The lists of a pattern index, as a transaction sees them: for each trigram the parts of documents that have it.
final class TrigramLists {
  private let segments: [SegmentStructure.Segment]
  private let reader: SegmentReader
  private var lists: [Trigram: [UInt32]] = [:]
  private var sizes: [Trigram: Int] = [:]

  /// Opens the lists.
  ///
  /// - Throws: ``UnreadableIndex`` where FTS5 must be asked, ``DoclistDamage``, `DatabaseError`.
  init(_ table: PatternIndexTable, _ db: Database) throws {
    // FTS5 holds in memory what the transaction has written.
    guard sqlite3_txn_state(db.sqliteConnection, nil) != SQLITE_TXN_WRITE else { throw UnreadableIndex.unwritten }
    try DoclistFormat.requireKnown(table: table.name, db)
    let record = try DoclistFormat.block(DoclistFormat.structureID, table: table.name, db)
    guard let structure = try SegmentStructure(record) else { throw UnreadableIndex.unknownFormat }
    segments = structure.segments
    reader = try SegmentReader(table: table.name, columnCount: 1, db)
  }

  /// The most rows on a page of FTS5's usual size: a byte each.
  private static let rowsPerPage = 4096

  /// About how many pages the list of a trigram has.
  func pageCount(of trigram: Trigram) throws -> Int {
    if let size = sizes[trigram] { return size }
    let term = trigram.bytes
    let size = try segments.reduce(0) { try $0 + reader.leafCount(of: term, in: $1) }
    sizes[trigram] = size
    return size
  }

  /// The parts that have a trigram, ascending.
  func parts(with trigram: Trigram) throws -> [UInt32] {
    if let list = lists[trigram] { return list }
    var sink = RowListSink(capacity: try pageCount(of: trigram) * TrigramLists.rowsPerPage)
    let term = trigram.bytes
    // The oldest first: what is appended to an index is in order then.
    for segment in segments.reversed() { try reader.read(.term(term), in: segment, into: &sink) }
    let list = sink.finish()
    lists[trigram] = list
    return list
  }
}
