import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import Synchronization

/// The file of a database with its indexes, change notifications, expiration timer and threads.
///
/// All documents are written through this class, so that no document is saved without its index entries.
final class DatabaseEngine: Sendable {
  let store: Store
  let log: DatabaseLog
  /// Notifies listeners of changes.
  let changes: ChangeNotifier
  /// Runs live queries and live searches.
  let liveQueries: LiveQueryScheduler
  /// Purges documents when they expire.
  let expirations: ExpirationTimer
  /// Calls models for queries and indexes.
  let models: ModelCaller
  /// The map and reduce functions of views.
  let views = ViewRegistry()
  /// The replications that use the database.
  let replications = ReplicationRegistry()
  /// The kinds of indexes that the file may contain.
  let kinds: IndexKinds
  /// The threads for searches and queries through the asynchronous API.
  let readers = WorkerThreads(maximumCount: max(4, ProcessorCount.active))
  /// The thread for changes through the asynchronous API. One is enough, because there is one writer connection.
  let writer = WorkerThreads(maximumCount: 1)
  /// The threads for blocks of ``AsyncDatabase/perform(_:)``. They are separate, so that blocks that wait for a writer
  /// do not delay searches.
  let workers = WorkerThreads(maximumCount: 4)
  /// The threads that read new blobs before asynchronous saves. They are separate, so that slow streams delay neither
  /// other changes nor blocks.
  let blobReaders = WorkerThreads(maximumCount: 4)
  private let expirationObservation: CommitObservation

  private struct IndexListCache {
    var version: Int64 = -1
    var byCollection: [Int64: CollectionIndexes] = [:]
  }

  private let indexCache = Mutex(IndexListCache())
  private let writerCache = WriterCache()

  /// - Parameters:
  ///   - isForChecking: whether the file is opened only to verify it, even if it is damaged.
  ///   - kinds: the kinds of indexes that the file may contain.
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
    changes = ChangeNotifier(store, log) { [expirations] in expirations.noteCommitOfOtherProcess() }
    liveQueries = LiveQueryScheduler(changes)
    expirationObservation = store.observeExpirations { [expirations] in expirations.note($0) }
  }

  deinit { stop() }

  /// Closes the file and removes all listeners.
  func close() throws {
    // This is checked first, because listeners and timers must continue if the file cannot be closed.
    try store.requireClosable()
    guard !replications.isInCallback else {
      throw CBLError(
        CBLError.transactionNotClosed,
        "\(store.path): the database cannot be closed in a filter, conflict resolver or status callback of a "
          + "replication; close it afterwards")
    }
    replications.stopAll()
    stop()
    try store.close()
    log.debug("database closed")
  }

  /// Stops listeners and timers. It does not wait for a running listener or purge.
  private func stop() {
    expirationObservation.cancel()
    expirations.stop()
    liveQueries.stop()
    changes.stop()
  }

  /// Returns the indexes of a collection in the snapshot of a connection.
  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> CollectionIndexes {
    let (version, cached) = try cachedIndexes(of: collection, db)
    if let cached { return cached }
    let indexes = CollectionIndexes(try kinds.indexes(of: collection, db), of: collection)
    // Uncommitted changes to the catalog are not cached, because they may be rolled back, after which another
    // transaction may use the same version number.
    guard !hasChangedCatalog else { return indexes }
    indexCache.withLock { cache in
      if cache.version != version { cache = IndexListCache(version: version) }
      cache.byCollection[collection.id] = indexes
    }
    return indexes
  }

  /// Returns the schema of a collection for the query compiler: its table and its indexes.
  func schema(of collection: CollectionRecord, _ db: GRDB.Database) throws -> CollectionSchema {
    try indexes(of: collection, db).schema
  }

  /// Returns the indexes of one kind.
  ///
  /// Indexes of other kinds are not loaded, because preparing a full-text index takes as long as a search with a
  /// pattern index.
  func indexes<Kind: IndexKind>(
    _ kind: Kind, of collection: CollectionRecord, _ db: GRDB.Database
  ) throws -> [Kind.Index] {
    if let cached = try cachedIndexes(of: collection, db).indexes { return cached.all.compactMap { $0 as? Kind.Index } }
    return try kind.indexes(of: collection, db)
  }

  private func cachedIndexes(
    of collection: CollectionRecord, _ db: GRDB.Database
  ) throws -> (version: Int64, indexes: CollectionIndexes?) {
    let version = try CollectionCatalog.version(db)
    let cached = indexCache.withLock { $0.version == version ? $0.byCollection[collection.id] : nil }
    // The collection existed in this version of the catalog, so it need not be looked up again.
    if let cached, cached.collection == collection { return (version, cached) }
    try CollectionCatalog.require(collection, db)
    return (version, cached)
  }

  /// Whether the open batch of this thread has changed collections or indexes.
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
      // The rollback may have changed the catalog that the writers were created for.
      if store.isWriting {
        writerCache.removeAll()
        if writerCache.hasCreatedIndex, !hadCreatedIndex {
          try store.writeInsideOpenTransaction { $0.fail(DatabaseEngine.createdIndexWasDropped) }
        }
      }
      throw error
    }
  }

  /// Calls `body` with the writer of a collection, in the open transaction or in a new transaction.
  func change<T>(_ collection: CollectionRecord, _ body: (CollectionWriter) throws -> T) throws -> T {
    try Interruption.check()
    try models.requireNoModel(isWriting: store.isWriting)
    let result = try store.writeInsideOpenTransaction { try body(writer(for: collection, in: $0)) }
    return try result ?? write { try body(writer(for: collection, in: $0)) }
  }

  /// Returns the writer of a collection's documents and indexes. It is created once per transaction.
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

  /// Increments the version of the catalog after the version of an index has changed.
  private func indexVersionDidChange(in transaction: WriteTransaction) throws {
    // No index was added or removed, so the writers remain valid.
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }

  /// Records that this transaction has created an index.
  func didCreateIndex() { writerCache.hasCreatedIndex = true }

  /// The error for a batch whose inner batch created an index and was rolled back. SQLite cannot continue a transaction
  /// in which the creation of a virtual table was rolled back.
  private static let createdIndexWasDropped = CBLError(
    CBLError.transactionNotClosed,
    "an inner batch created an index and failed, so the outer batch fails too; create indexes outside batches")

  /// Increments the version of the catalog, so that this transaction and every process reload collections and indexes.
  func catalogDidChange(in transaction: WriteTransaction) throws {
    writerCache.removeAll()
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }
}

/// The writers of the open transaction. They are discarded when the catalog changes or an inner batch is rolled back.
///
/// `@unchecked Sendable`: used only inside blocks of `Store.write`, which run on one serial queue.
private final class WriterCache: @unchecked Sendable {
  var writers: [Int64: CollectionWriter] = [:]
  /// Whether collections or indexes have changed since the outermost transaction began.
  var hasChangedCatalog = false
  /// Whether an index has been created since the outermost transaction began.
  var hasCreatedIndex = false

  func removeAll() { writers.removeAll() }
}
