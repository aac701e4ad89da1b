import DocumentStore
import GRDB
import JSONText
import Synchronization
import TextIndex

/// A database's file with its indexes: the one place where documents are written, so that no document is saved past an
/// index.
final class DatabaseEngine: Sendable {
  let store: Store

  private struct KnownIndexes {
    var version: Int64 = -1
    var byCollection: [Int64: [InvertedIndex]] = [:]
  }

  private let known = Mutex(KnownIndexes())
  private let writerCache = WriterCache()

  init(path: String, configuration: StoreConfiguration) throws {
    var configuration = configuration
    configuration.prepareConnection = { try TermStreamTokenizer.register($0) }
    store = try Store(path: path, configuration: configuration)
  }

  /// The full-text indexes of a collection as the file has them now.
  func fullTextIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [InvertedIndex] {
    let version = try CollectionCatalog.version(db)
    let cached = known.withLock { $0.version == version ? $0.byCollection[collection.id] : nil }
    if let cached { return cached }
    let indexes = try FullTextCatalog.indexes(of: collection.id, db)
    known.withLock { known in
      if known.version != version { known = KnownIndexes(version: version) }
      known.byCollection[collection.id] = indexes
    }
    return indexes
  }

  /// Calls `body` in a write transaction.
  func write<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    let isOutermost = !store.isWriting
    return try store.write { transaction in
      if isOutermost { writerCache.removeAll() }
      defer { if isOutermost { writerCache.removeAll() } }
      return try body(transaction)
    }
  }

  /// Calls `body` with the writer of a collection, in the transaction that is open or in one of its own. Either all of
  /// its changes are made or none.
  func change<T>(_ collection: CollectionRecord, _ body: (CollectionWriter) throws -> T) throws -> T {
    let direct = try store.writeInsideOpenTransaction { transaction -> T? in
      let writer = try writer(for: collection, in: transaction)
      // With an index, a change is more than one statement.
      return writer.hasIndexes ? nil : try body(writer)
    }
    if case .some(.some(let result)) = direct { return result }
    return try write { try body(writer(for: collection, in: $0)) }
  }

  /// The writer of a collection's documents and indexes. It is made once a transaction.
  func writer(for collection: CollectionRecord, in transaction: WriteTransaction) throws -> CollectionWriter {
    if let writer = writerCache.writers[collection.id] { return writer }
    let writer = try CollectionWriter(
      documents: transaction.documents(in: collection),
      indexes: fullTextIndexes(of: collection, transaction.db), transaction.db)
    writerCache.writers[collection.id] = writer
    return writer
  }

  /// Tells this transaction and every process that collections or indexes have changed.
  func catalogDidChange(in transaction: WriteTransaction) throws {
    writerCache.removeAll()
    known.withLock { $0.version = -1 }
    try transaction.catalogDidChange()
  }
}

/// The writers of the open transaction.
///
/// `@unchecked Sendable`: touched only inside blocks of ``DocumentStore/Store/write(_:)``, whose serial queue is the
/// lock.
private final class WriterCache: @unchecked Sendable {
  var writers: [Int64: CollectionWriter] = [:]

  func removeAll() { writers.removeAll() }
}
