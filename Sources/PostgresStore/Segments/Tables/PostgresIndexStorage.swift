package import GRDB
import PostgresAccess
package import TextIndex

/// The full-text indexes of the connections of a database on PostgreSQL.
///
/// ```swift
/// let storage = PostgresIndexStorage { try sessions.session($0) }      // one for each open database
/// RemoteIndexes.set(storage, for: db, while: front)                    // for each connection
/// ```
package final class PostgresIndexStorage: RemoteIndexStorage {
  private let session: @Sendable (Database) throws -> any PostgresSession
  private let caches = FullTextCaches()

  /// - Parameter session: returns the session of a connection in a transaction.
  package init(_ session: @escaping @Sendable (Database) throws -> any PostgresSession) { self.session = session }

  package func create(_ index: StoredFullTextIndex, _ db: Database) throws {
    try PostgresFullText.create(index, session(db))
  }

  package func drop(_ index: StoredFullTextIndex, _ db: Database) throws {
    try PostgresFullText.drop(index.id, session(db))
    caches.remove(index.id)
  }

  package func statistics(of index: StoredFullTextIndex, _ db: Database) throws -> (documentCount: Int, size: Int) {
    try PostgresFullText.statistics(of: index, session(db))
  }

  package func store(_ index: StoredFullTextIndex, _ db: Database) -> any IndexStore {
    PostgresIndexStore(index) { [session, caches] in
      try PostgresFullText.postings(index, session(db), caches[index.id])
    }
  }

  package func writer(_ index: StoredFullTextIndex, _ db: Database) throws -> any RemoteIndexWriter {
    try PostgresFullText.writer(index, session(db))
  }

  package func contents(of index: StoredFullTextIndex, _ db: Database) throws -> IndexContents {
    // The cache is not used, so that the stored rows are checked.
    try PostgresFullText.postings(index, session(db), SegmentIndexCache()).contents()
  }
}

extension SegmentIndexWriter: RemoteIndexWriter {}
