import SQLiteAccess
package import TextIndex

/// A full-text index on PostgreSQL, in a transaction. The first use reads the state of the index.
package final class PostgresIndexStore: IndexStore {
  private let index: StoredFullTextIndex
  private let read: () throws -> SegmentPostingStore
  private lazy var opened = Result { try read() }

  /// - Parameter read: reads the state of the index.
  init(_ index: StoredFullTextIndex, _ read: @escaping () throws -> SegmentPostingStore) {
    self.index = index
    self.read = read
  }

  package func documentCount() throws -> Int { Int(clamping: try opened.get().search.totals.rowCount) }

  /// Changes of the transaction are read from PostgreSQL like all others.
  package var isChanged: Bool { false }

  package func openPostings() throws -> any PostingStore { try opened.get() }

  package func openTerms() throws -> any TermSource { SegmentTermSource(index, try opened.get()) }

  /// Posting lists can always be read, so no query needs a slower search.
  package func matches(of query: FullTextQuery, _ ranking: ResolvedRanking?) throws -> MatchedRows {
    throw TextIndexError(.unsupported, "the posting lists of the index \"\(index.name)\" cannot be read")
  }
}
