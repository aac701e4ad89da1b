import SQLiteAccess
package import TextIndex

/// A full-text index on PostgreSQL, in a transaction.
///
/// ```swift
/// let store = try PostgresIndexStore(index, session, cache)
/// let hits = try FullTextQuery(query, in: index).matches(IndexReader(index, store)).best(10)
/// ```
package final class PostgresIndexStore: IndexStore {
  private let index: StoredFullTextIndex
  private let store: SegmentPostingStore

  /// Reads the state of an index: one round trip if the index has changed since it was last read.
  init(
    _ index: StoredFullTextIndex, _ reader: SnapshotReader, version: Int64?, isCommitted: Bool
  ) throws {
    self.index = index
    store = SegmentPostingStore(
      try reader.snapshot(version: version, isCommitted: isCommitted), reader.storage, reader.cache,
      hasColocatedTerms: index.hasColocatedTerms)
  }

  package func documentCount() -> Int { Int(clamping: store.search.totals.rowCount) }

  /// Changes of the transaction are read from PostgreSQL like all others.
  package var isChanged: Bool { false }

  package func openPostings() -> any PostingStore { store }

  package func openTerms() -> any TermSource { SegmentTermSource(store) }

  /// Posting lists can always be read, so no query needs a slower search.
  package func matches(of query: FullTextQuery, _ ranking: ResolvedRanking?) throws -> MatchedRows {
    throw TextIndexError(.unsupported, "the posting lists of the index \"\(index.name)\" cannot be read")
  }
}
