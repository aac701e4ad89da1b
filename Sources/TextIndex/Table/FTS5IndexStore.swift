public import GRDB

/// The state of an index that is stored in FTS5 tables, as seen by a transaction.
final class FTS5IndexStore: IndexStore {
  private let index: StoredFullTextIndex
  private let db: Database

  init(_ index: StoredFullTextIndex, _ db: Database) {
    self.index = index
    self.db = db
  }

  func documentCount() throws -> Int { Int(clamping: try index.table.totals(db).rowCount) }

  var isChanged: Bool { index.cache.isUnwritten(db) }

  func openPostings() throws -> any PostingStore { try PostingsReader(index, db) }

  func openTerms() throws -> any TermSource { try TermDictionary(index, db) }

  func matches(of query: FullTextQuery, _ ranking: ResolvedRanking?) throws -> MatchedRows {
    try FTS5FallbackSearch(query).all(db, ranking)
  }
}

extension StoredFullTextIndex {
  /// Returns a reader of the index, to be used within a transaction.
  ///
  /// - Parameter db: a connection in a transaction, in which the reader is used.
  public func reader(_ db: Database) -> IndexReader {
    IndexReader(self, RemoteIndexes.storage(of: db)?.store(self, db) ?? FTS5IndexStore(self, db))
  }
}
