package import GRDB
package import TextIndex

/// The full-text indexes of a database on PostgreSQL.
extension PostgresStorage: RemoteIndexStorage {
  package func create(_ index: StoredFullTextIndex, _ db: Database) throws {
    try PostgresFullText.create(index, session(db))
  }

  package func drop(_ index: StoredFullTextIndex, _ db: Database) throws {
    try PostgresFullText.drop(index.id, session(db))
    fullTextCaches.remove(index.id)
  }

  package func statistics(of index: StoredFullTextIndex, _ db: Database) throws -> (documentCount: Int, size: Int) {
    try PostgresFullText.statistics(of: index, session(db))
  }

  package func store(_ index: StoredFullTextIndex, _ db: Database) -> any IndexStore {
    PostgresIndexStore(index) { [self] in
      let session = try tables(db).session
      try session.requireNodes()
      // What is read without some nodes is never shared with other transactions.
      let cache = session.isPartial ? SegmentIndexCache() : fullTextCaches[index.id]
      return try PostgresFullText.postings(index, session, cache)
    }
  }

  package func writer(_ index: StoredFullTextIndex, memory: Int, _ db: Database) throws -> any RemoteIndexWriter {
    try PostgresFullText.writer(index, memory: memory, tables(db).session)
  }

  package func contents(of index: StoredFullTextIndex, _ db: Database) throws -> IndexContents {
    // The cache is not used, so that the stored rows are checked.
    let postings = try PostgresFullText.postings(index, session(db), SegmentIndexCache())
    return try PostgresFullText.reporting(index) { try postings.contents() }
  }
}

extension SegmentIndexWriter: RemoteIndexWriter {}
