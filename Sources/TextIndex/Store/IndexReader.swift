/// A full-text index in a read transaction, for searches, suggestions, corrections and feedback.
///
/// ```swift
/// let reader = index.reader(db)
/// let hits = try FullTextQuery(query, in: reader).matches(reader).best(10)
/// ```
///
/// It opens posting lists and terms when they are first needed, and keeps them open. It belongs to the transaction in
/// which it was created and to one thread. After the transaction has changed the index, queries use the store's slower
/// search.
public final class IndexReader {
  /// The index.
  public let index: StoredFullTextIndex
  private let store: any IndexStore
  private lazy var postings = Result { try index.readingPostings { try store.openPostings() } }
  private lazy var terms = Result { try store.openTerms() }

  init(_ index: StoredFullTextIndex, _ store: any IndexStore) {
    self.index = index
    self.store = store
  }

  /// The number of documents in the index.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  func documentCount() throws -> Int { try index.readingPostings { try store.documentCount() } ?? 0 }

  /// Returns the posting lists; nil if the store cannot read them.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  func postingStore() throws -> (any PostingStore)? { store.isChanged ? nil : try postings.get() }

  /// Calls `body` with the posting lists; returns nil if the store cannot read them.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  func reading<T>(_ body: (any PostingStore) throws -> T) throws -> T? {
    guard let postings = try postingStore() else { return nil }
    return try index.readingPostings { try body(postings) }
  }

  /// Returns the terms of the index.
  ///
  /// - Throws: ``TextIndexError`` if the index is damaged or its terms cannot be listed.
  func termSource() throws -> any TermSource { try terms.get() }

  /// Returns all matches of a query in row order, found without posting lists; scored if there is a ranking.
  func matchesWithoutPostings(_ query: FullTextQuery, _ ranking: ResolvedRanking?) throws -> MatchedRows {
    try store.matches(of: query, ranking)
  }
}

@available(*, unavailable)
extension IndexReader: Sendable {}
