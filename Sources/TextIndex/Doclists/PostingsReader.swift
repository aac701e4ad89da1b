import GRDB
import TextAnalysis

/// Reads postings in a transaction, from the cache of the index's state or from FTS5's tables. It is the
/// ``PostingStore`` of indexes in SQLite.
final class PostingsReader: PostingStore {
  let state: IndexState
  var search: SearchState { state.search }
  let columnCount: Int
  private let table: FullTextTable
  /// Whether two terms may share a position: a word and its stem, or an identifier and its first part.
  private lazy var hasColocatedTerms = groups.contains { $0.hasColocatedTerms }
  private let groups: [ColumnGroup]
  private let db: Database
  private lazy var segments = Result { try SegmentReader(table: table.name, db) }
  private lazy var leaves = Result { try LeafReader(table: table.name, columnCount: columnCount, db) }

  init(_ index: StoredFullTextIndex, _ db: Database) throws {
    state = try index.cache.state(of: index, db)
    table = index.table
    groups = index.groups
    columnCount = table.columnCount
    self.db = db
  }

  func segmentReader() throws -> SegmentReader { try segments.get() }

  func leafReader() throws -> LeafReader { try leaves.get() }

  /// Returns the posting list of a term.
  func postings(_ term: String, withPositions: Bool) throws -> Postings {
    try state.postings.postings(PostingsCache.Key(term: term), withPositions: withPositions) {
      try read(.term(Array(term.utf8)), withPositions: withPositions)
    }
  }

  /// Returns the merged posting list of all terms with a prefix. A position counts once, even if several of the terms
  /// occur at it. Therefore positions are always read if terms can share a position.
  func postings(prefix: String, withPositions: Bool) throws -> Postings {
    let needsPositions = withPositions || hasColocatedTerms
    let key = PostingsCache.Key(term: prefix, isPrefix: true)
    return try state.postings.postings(key, withPositions: needsPositions) {
      try read(.terms(prefix: Array(prefix.utf8)), withPositions: needsPositions)
    }
  }

  private func read(_ selection: SegmentReader.Selection, withPositions: Bool) throws -> Postings {
    var severalTerms = false
    if case .terms = selection { severalTerms = true }
    var sink = DoclistSink(
      columnCount: columnCount, keepingPositions: withPositions, numberingTerms: severalTerms, isInterruptible: true)
    try read(selection, into: &sink)
    return try sink.finish()
  }

  /// Passes the doclists of all segments to a sink.
  func read<Sink: DoclistConsumer & ~Copyable>(_ selection: SegmentReader.Selection, into sink: inout Sink) throws {
    // Oldest first, so that appended rows are already in order.
    for segment in state.segments.reversed() { try segments.get().read(selection, in: segment, into: &sink) }
  }
}
