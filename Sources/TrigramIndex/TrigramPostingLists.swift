import GRDB
import PatternMatching
import TextIndex

/// The lists of a pattern index, as a transaction sees them: for each trigram the parts of documents that have it.
final class TrigramPostingLists {
  private let terms: TermRows
  private var lists: [Trigram: [UInt32]] = [:]
  private var sizes: [Trigram: Int] = [:]

  /// Opens the lists.
  ///
  /// - Throws: `FTS5FallbackRequired` where FTS5 must be asked, `DoclistCorruption`, `DatabaseError`.
  init(_ table: PatternIndexTable, _ db: Database) throws { terms = try TermRows(table: table.name, db) }

  /// About how many pages the list of a trigram has.
  func pageCount(of trigram: Trigram) throws -> Int {
    if let size = sizes[trigram] { return size }
    let size = try terms.pageCount(of: trigram.bytes)
    sizes[trigram] = size
    return size
  }

  /// The parts that have a trigram, ascending.
  func parts(with trigram: Trigram) throws -> [UInt32] {
    if let list = lists[trigram] { return list }
    let list = try terms.rows(of: trigram.bytes, pageCount: pageCount(of: trigram))
    lists[trigram] = list
    return list
  }
}
