public import GRDB
import SQLiteAccess

extension Store {
  /// Calls `body` with a connection that reads a single snapshot of the file.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try translatingErrors {
      if let db = try openConnection() { return try body(db) }
      return try usingReader { db in
        enterRead()
        defer { leaveRead() }
        if db.isInsideTransaction { return try body(db) }
        return try db.inReadTransaction(remote) { try body(db) }
      }
    }
  }

  /// Calls `body` with a connection that reads a single snapshot of the file, including its full-text indexes: inside a
  /// batch of this thread, buffered changes to the indexes are written first.
  public func readIndexes<T>(_ body: (Database) throws -> T) throws -> T {
    try writeDeferred()
    return try read(body)
  }

  /// Writes the buffered changes to full-text indexes if this thread is in a batch, so that they can be read.
  public func writeDeferred() throws {
    try Deadline.withoutLimit { try writeInsideOpenTransaction { try $0.writeDeferred() } }
  }

  /// Returns the document with this id, or nil, as of the last commit or this thread's batch.
  ///
  /// - Complexity: O(log n); several times faster than ``read(_:)`` with a ``DocumentReader``.
  public func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try translatingErrors {
      guard let db = try openConnection() else {
        guard remote == nil else {
          return try read { db in
            try CollectionCatalog.require(collection, db)
            return try DocumentReader(collection, db).document(id: id)
          }
        }
        return try pointReaders.document(id: id, in: collection)
      }
      let document = try DocumentReader(collection, db).document(id: id)
      if document == nil { try CollectionCatalog.require(collection, db) }
      return document
    }
  }

  /// Returns the chunk of a blob with this number and the length of the blob, as of the last commit or this thread's
  /// batch; nil if there is no such blob.
  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    try translatingErrors {
      func part(_ db: Database) throws -> BlobPart? {
        let statement = try SQLStatement(cached: BlobPart.selection, in: db)
        defer { statement.reset() }
        statement.bind(1, number)
        return try statement.withText(2, digest) { try statement.step() ? BlobPart(statement.row) : nil }
      }
      if let db = try openConnection() { return try part(db) }
      return try remote == nil ? pointReaders.blobPart(digest: digest, number: number) : read(part)
    }
  }

  /// Returns the number of documents in a collection, excluding tombstones, as of the last commit or this thread's
  /// batch.
  ///
  /// - Complexity: O(1).
  public func documentCount(of collection: CollectionRecord) throws -> Int64 {
    try translatingErrors {
      if let db = try openConnection() {
        return try liveCount(writerState.collection(collection.id, db).documentCount, of: collection, db)
      }
      return try read { db in
        try liveCount(CollectionCatalog.documentCount(collection, db), of: collection, db)
      }
    }
  }

  /// Returns the number of live documents.
  ///
  /// - Parameter counted: the count in the catalog, which may be any number in a damaged file.
  private func liveCount(_ counted: Int64, of collection: CollectionRecord, _ db: Database) throws -> Int64 {
    try max(0, max(0, counted) - DocumentReader(collection, db).expiredCount())
  }

  /// Calls `body`, which reads a whole table once, with a page cache that fits in the processor's cache.
  ///
  /// The pages of such a scan are not read again. In the large cache, each would be written to memory outside the
  /// processor's cache and evict a page that other queries need. With the small cache, a scan takes one eighth less
  /// time.
  public func scanning<T>(_ db: Database, _ body: () throws -> T) throws -> T {
    guard !isWriting else { return try body() }
    guard configuration.pageCacheSize > Store.scanCacheSize else { return try body() }
    try setScanCache(db)
    defer { try? Store.setPageCache(configuration.pageCacheSize, db) }
    return try body()
  }

  /// Sets the page cache of a connection to the size for a scan, if that is smaller than the configured size.
  func setScanCache(_ db: Database) throws {
    if configuration.pageCacheSize > Store.scanCacheSize { try Store.setPageCache(Store.scanCacheSize, db) }
  }
}
