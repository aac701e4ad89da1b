import GRDB

/// Reads the postings of terms in a transaction: from the cache of the index's state, or from FTS5's tables.
final class PostingsReader {
  let state: IndexState
  let columnCount: Int
  private let table: FullTextTable
  private let db: Database
  private lazy var segments = Result { try SegmentReader(table: table.name, columnCount: columnCount, db) }

  init(_ index: InvertedIndex, _ db: Database) throws {
    state = try index.cache.state(of: index, db)
    table = index.table
    columnCount = table.columnCount
    self.db = db
  }

  /// The documents that hold a term.
  func postings(_ term: String, withPositions: Bool) throws -> Postings {
    try state.postings.postings(PostingsCache.Key(term: term), withPositions: withPositions) {
      try read(.term(Array(term.utf8)), withPositions: withPositions)
    }
  }

  /// The documents that hold a term which begins with a prefix.
  func postings(prefix: String) throws -> Postings {
    try state.postings.postings(PostingsCache.Key(term: prefix, isPrefix: true), withPositions: true) {
      try read(.terms(prefix: Array(prefix.utf8)), withPositions: true)
    }
  }

  private func read(_ selection: SegmentReader.Selection, withPositions: Bool) throws -> Postings {
    var severalTerms = false
    if case .terms = selection { severalTerms = true }
    var sink = DoclistSink(
      columnCount: columnCount, keepingPositions: withPositions, numberingTerms: severalTerms)
    // The oldest first: what is appended to an index is in order then.
    for segment in state.segments.reversed() { try segments.get().read(selection, in: segment, into: &sink) }
    return sink.finish()
  }
}
