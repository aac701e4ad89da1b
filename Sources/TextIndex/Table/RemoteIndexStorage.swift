package import GRDB
import SQLiteAccess
import Synchronization

/// Full-text indexes whose rows are in another database, such as PostgreSQL. The catalog of indexes is in tables of the
/// SQLite connection, like that of a file.
package protocol RemoteIndexStorage: AnyObject, Sendable {
  /// Creates an empty index.
  func create(_ index: StoredFullTextIndex, _ db: Database) throws

  /// Deletes an index.
  func drop(_ index: StoredFullTextIndex, _ db: Database) throws

  /// Returns the number of documents and the size in bytes of an index.
  func statistics(of index: StoredFullTextIndex, _ db: Database) throws -> (documentCount: Int, size: Int)

  /// Returns access to an index in a transaction. The first use reads the state of the index.
  func store(_ index: StoredFullTextIndex, _ db: Database) -> any IndexStore

  /// Returns a writer of an index in a write transaction.
  ///
  /// - Parameter memory: the number of bytes of terms after which the changes are written.
  func writer(_ index: StoredFullTextIndex, memory: Int, _ db: Database) throws -> any RemoteIndexWriter

  /// Returns the content of an index, for verification.
  func contents(of index: StoredFullTextIndex, _ db: Database) throws -> IndexContents
}

/// Inserts and removes documents of an index; see ``FullTextWriter``.
package protocol RemoteIndexWriter: AnyObject {
  func insert(_ document: AnalyzedDocument, rowID: Int64) throws
  func remove(_ document: AnalyzedDocument, rowID: Int64) throws
  func flush() throws
  func discard()
}

/// The content of an index: its documents, totals and postings.
package struct IndexContents: Equatable {
  package var rows: Set<Int64>
  package var totals: IndexTotals
  package var postings: PostingChecksum

  package init(rows: Set<Int64>, totals: IndexTotals, postings: PostingChecksum) {
    self.rows = rows
    self.totals = totals
    self.postings = postings
  }
}

/// The connections whose full-text indexes are in another database.
package enum RemoteIndexes {
  private static let entries = Mutex<[UInt: RemoteIndexesEntry]>([:])
  /// Whether there was such a connection, so that programs that only use files take no lock.
  private static let isUsed = Atomic(false)

  /// Sets the storage of the indexes of a connection.
  ///
  /// - Parameter owner: an object that is released when the connection is closed.
  package static func set(_ storage: any RemoteIndexStorage, for db: Database, while owner: AnyObject) {
    isUsed.store(true, ordering: .relaxed)
    entries.withLock { entries in
      entries = entries.filter { $0.value.owner != nil }
      entries[db.connectionNumber] = RemoteIndexesEntry(owner: owner, storage: storage)
    }
  }

  /// Returns the storage of the indexes of a connection; nil for a file.
  static func storage(of db: Database) -> (any RemoteIndexStorage)? {
    guard isUsed.load(ordering: .relaxed) else { return nil }
    return entries.withLock { entries in
      entries[db.connectionNumber].flatMap { $0.owner == nil ? nil : $0.storage }
    }
  }
}

/// The storage of the indexes of a connection, which its owner keeps.
///
/// `@unchecked Sendable`: the weak references are read under the lock of `RemoteIndexes.entries`.
private struct RemoteIndexesEntry: @unchecked Sendable {
  weak var owner: AnyObject?
  weak var storage: (any RemoteIndexStorage)?
}
