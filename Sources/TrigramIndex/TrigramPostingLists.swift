import GRDB
import PatternMatching
import TextIndex

/// The posting lists of a pattern index in a transaction: for each trigram, the chunks that contain it.
final class TrigramPostingLists {
  private let terms: TermRows
  private var lists: [Trigram: [UInt32]] = [:]
  private var sizes: [Trigram: Int] = [:]

  /// Opens the posting lists.
  ///
  /// - Throws: `FTS5FallbackRequired` if FTS5 must run the query, `DoclistCorruption`, `DatabaseError`.
  init(_ table: PatternIndexTable, _ db: Database) throws { terms = try TermRows(table: table.name, db) }

  /// The number of segments in which each trigram is looked up.
  var segmentCount: Int { terms.segmentCount }

  /// Returns the estimated number of pages in the posting list of a trigram.
  func pageCount(of trigram: Trigram) throws -> Int {
    if let size = sizes[trigram] { return size }
    let size = try terms.pageCount(of: trigram.bytes)
    sizes[trigram] = size
    return size
  }

  /// Returns the chunks that contain a trigram, ascending.
  func chunks(with trigram: Trigram) throws -> [UInt32] {
    if let list = lists[trigram] { return list }
    let list = try terms.rows(of: trigram.bytes, pageCount: pageCount(of: trigram))
    lists[trigram] = list
    return list
  }

  /// Returns those of some chunks that contain a trigram, ascending.
  ///
  /// - Parameter candidates: the chunks, ascending.
  func chunks(with trigram: Trigram, among candidates: [UInt32]) throws -> [UInt32] {
    if let list = lists[trigram] { return list.intersection(candidates) }
    return try terms.rows(of: trigram.bytes, among: candidates)
  }
}
