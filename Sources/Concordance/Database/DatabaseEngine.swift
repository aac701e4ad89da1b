import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import Synchronization

/// A database's file with its indexes. All documents are written through it, so that no document is saved without its
/// index entries.
final class DatabaseEngine: Sendable {
  let store: Store
  let log: DatabaseLog
  /// Notifies listeners of changes.
  let changes: ChangeNotifier
  /// Purges documents when they expire.
  let expirations: ExpirationTimer
  /// Calls models for queries and indexes.
  let models: ModelCaller
  /// The kinds of indexes that the file may have.
  let kinds: IndexKinds
  /// Threads for searches and queries of the asynchronous API.
  let readers = WorkerThreads(maximumCount: max(4, ProcessInfo.processInfo.activeProcessorCount))
  /// The thread for changes of the asynchronous API. One is enough: there is one writing connection.
  let writer = WorkerThreads(maximumCount: 1)
  /// Threads for other blocks of the asynchronous API. They are separate, so that blocks that wait for a writer do not
  /// delay searches.
  let workers = WorkerThreads(maximumCount: 4)
  private let expirationObservation: CommitObservation

  private struct IndexListCache {
    var version: Int64 = -1
    var byCollection: [Int64: CollectionIndexes] = [:]
  }

  private let known = Mutex(IndexListCache())
  private let writerCache = WriterCache()

  /// - Parameters:
  ///   - isForChecking: whether the file is opened only to be verified, in whatever state it is.
  ///   - kinds: the kinds of indexes that the file may have.
  init(
    path: String, configuration: StoreConfiguration, log: DatabaseLog, isForChecking: Bool = false,
    kinds: IndexKinds = .standard
  ) throws {
    self.log = log
    self.kinds = kinds
    expirations = ExpirationTimer(log)
    var configuration = configuration
    if !isForChecking { configuration.isIndexObject = kinds.isIndexObject }
    let models = ModelCaller()
    self.models = models
    configuration.prepareConnection = { db in
      for kind in kinds.all { try kind.prepare(db) }
      try QueryRuntime.register(on: db) { try models.output(of: $0, for: $1) }
    }
    configuration.didCheckpointAtExit = { isComplete in
      log.debug("checkpoint at exit", ["isComplete": "\(isComplete)"])
    }
    store = try Store(path: path, configuration: configuration)
    changes = ChangeNotifier(store, log) { [expirations] in expirations.noteForeignCommit() }
    expirationObservation = store.observeExpirations { [expirations] in expirations.note($0) }
  }

  deinit { stop() }

  /// Closes the file. Listeners are not called any more.
  func close() throws {
    // If it cannot be closed, listeners and timers continue.
    try store.requireClosable()
    stop()
    try store.close()
    log.debug("database closed")
  }

  /// Stops listeners and timers. It does not wait for a running listener or purge.
  private func stop() {
    expirationObservation.cancel()
    expirations.stop()
    changes.stop()
  }

  /// The indexes of a collection as the file has them now.
  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> CollectionIndexes {
    let (version, cached) = try knownIndexes(of: collection, db)
    if let cached { return cached }
    let indexes = CollectionIndexes(try kinds.indexes(of: collection, db), of: collection)
    // A transaction's own changes of the catalog may be rolled back, and another transaction may then use the same version.
    guard !hasChangedCatalog else { return indexes }
    known.withLock { known in
      if known.version != version { known = IndexListCache(version: version) }
      known.byCollection[collection.id] = indexes
    }
    return indexes
  }

  /// What queries know about a collection: its table and its indexes.
  func schema(of collection: CollectionRecord, _ db: GRDB.Database) throws -> CollectionSchema {
    try indexes(of: collection, db).schema
  }

  /// The indexes of one kind. Unless the indexes of the collection are known, those of other kinds are not read: preparing a
  /// full-text index takes as long as a search with a pattern index.
  func indexes<Kind: IndexKind>(
    _ kind: Kind, of collection: CollectionRecord, _ db: GRDB.Database
  ) throws -> [Kind.Index] {
    if let known = try knownIndexes(of: collection, db).indexes { return known.all.compactMap { $0 as? Kind.Index } }
    return try kind.indexes(of: collection, db)
  }

  private func knownIndexes(
    of collection: CollectionRecord, _ db: GRDB.Database
  ) throws -> (version: Int64, indexes: CollectionIndexes?) {
    try CollectionCatalog.require(collection, db)
    let version = try CollectionCatalog.version(db)
    return (version, known.withLock { $0.version == version ? $0.byCollection[collection.id] : nil })
  }

  /// Whether the batch of this thread has changed collections or indexes.
  var hasChangedCatalog: Bool { store.isWriting && writerCache.hasChangedCatalog }

  /// Calls `body` in a write transaction.
  func write<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    try models.requireNoModel(isWriting: store.isWriting)
    let isOutermost = !store.isWriting
    // An index that the outer batch has created remains if an inner batch fails.
    let hadCreatedIndex = !isOutermost && writerCache.hasCreatedIndex
    let start = ContinuousClock.now
    do {
      return try store.write { transaction in
        if isOutermost { log.noteDuration(since: start, of: "wait for the writer") }
        defer {
          if isOutermost {
            writerCache.removeAll()
            writerCache.hasChangedCatalog = false
            writerCache.hasCreatedIndex = false
          }
        }
        return try body(transaction)
      }
    } catch {
      // The rollback may have changed the catalog that the writers were made for.
      if store.isWriting {
        writerCache.removeAll()
        if writerCache.hasCreatedIndex, !hadCreatedIndex {
          try store.writeInsideOpenTransaction { $0.fail(DatabaseEngine.createdIndexWasDropped) }
        }
      }
      throw error
    }
  }

  /// Calls `body` with the writer of a collection, in the open transaction or in a new one.
  func change<T>(_ collection: CollectionRecord, _ body: (CollectionWriter) throws -> T) throws -> T {
    try Interruption.check()
    try models.requireNoModel(isWriting: store.isWriting)
    let result = try store.writeInsideOpenTransaction { try body(writer(for: collection, in: $0)) }
    return try result ?? write { try body(writer(for: collection, in: $0)) }
  }

  /// Returns the writer of a collection's documents and indexes. It is made once per transaction.
  func writer(for collection: CollectionRecord, in transaction: WriteTransaction) throws -> CollectionWriter {
    if let writer = writerCache.writers[collection.id] { return writer }
    let writer = try CollectionWriter(
      documents: transaction.documents(in: collection), indexes: indexes(of: collection, transaction.db).all,
      of: collection,
      transaction
    ) { [unowned self] in try indexVersionDidChange(in: transaction) }
    writerCache.writers[collection.id] = writer
    return writer
  }

  /// Tells this transaction and every process that an index of the catalog has another version.
  private func indexVersionDidChange(in transaction: WriteTransaction) throws {
    // No index was added or removed, so the writers remain valid.
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }

  /// Records that this transaction has created an index.
  func didCreateIndex() { writerCache.hasCreatedIndex = true }

  /// SQLite cannot continue a transaction in which the creation of a virtual table was rolled back.
  private static let createdIndexWasDropped = CBLError(
    CBLError.transactionNotClosed,
    "a batch inside this one made an index and failed; this batch must fail, too. Make indexes outside of batches")

  /// Raises the catalog's version, so that this transaction and every process see that collections or indexes have changed.
  func catalogDidChange(in transaction: WriteTransaction) throws {
    writerCache.removeAll()
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }
}

/// The writers of the open transaction, made for its catalog. They are discarded when the catalog changes, or when an inner
/// batch is rolled back.
///
/// `@unchecked Sendable`: used only inside blocks of ``DocumentStore/Store/write(_:)``, whose serial queue is the lock.
private final class WriterCache: @unchecked Sendable {
  var writers: [Int64: CollectionWriter] = [:]
  /// Whether collections or indexes were changed since the outermost transaction began.
  var hasChangedCatalog = false
  /// Whether an index was created since the outermost transaction began.
  var hasCreatedIndex = false

  func removeAll() { writers.removeAll() }
}
