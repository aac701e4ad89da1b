import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import Synchronization
import TextIndex
import TrigramIndex

/// A database's file with its indexes: the one place where documents are written, so that no document is saved past an
/// index.
final class DatabaseEngine: Sendable {
  let store: Store
  let log: DatabaseLog
  /// Tells listeners what has changed.
  let changes: ChangeNotifier
  /// Purges documents when they expire.
  let expirations: ExpirationTimer
  /// Asks models for queries and indexes.
  let models: ModelCaller
  /// Threads for searches and queries of the asynchronous API.
  let readers = WorkerThreads(maximumCount: max(4, ProcessInfo.processInfo.activeProcessorCount))
  /// The thread for changes of the asynchronous API. One is enough: there is one writing connection.
  let writer = WorkerThreads(maximumCount: 1)
  /// Threads for other blocks of the asynchronous API. Blocks that wait for a writer do not hold up searches.
  let workers = WorkerThreads(maximumCount: 4)
  private let expirationObservation: CommitObservation

  private struct KnownIndexes {
    var version: Int64 = -1
    var byCollection: [Int64: CollectionSchema] = [:]
  }

  private let known = Mutex(KnownIndexes())
  private let writerCache = WriterCache()

  /// - Parameter isForChecking: whether the file is opened to be verified, whatever is in it.
  init(path: String, configuration: StoreConfiguration, log: DatabaseLog, isForChecking: Bool = false) throws {
    self.log = log
    expirations = ExpirationTimer(log)
    var configuration = configuration
    if !isForChecking { configuration.isIndexObject = DatabaseEngine.isIndexObject }
    let models = ModelCaller()
    self.models = models
    configuration.prepareConnection = {
      try TermStreamTokenizer.register($0)
      try TrigramTokenizer.register($0)
      try QueryRuntime.register(on: $0) { try models.output(of: $0, for: $1) }
    }
    store = try Store(path: path, configuration: configuration)
    changes = ChangeNotifier(store, log) { [expirations] in expirations.noteForeignCommit() }
    expirationObservation = store.observeExpirations { [expirations] in expirations.note($0) }
  }

  /// Whether an object of a file's schema belongs to an index.
  @Sendable static func isIndexObject(_ object: SchemaObject) -> Bool {
    guard let sql = object.sql else { return false }
    return FullTextCatalog.isStatement(sql, ofObject: object.name)
      || PatternIndexCatalog.isStatement(sql, ofObject: object.name)
      || ValueIndexTable.isStatement(sql, ofObject: object.name)
  }

  deinit { stop() }

  /// Closes the file; listeners hear of nothing more.
  func close() throws {
    // Where it cannot be closed, everything goes on.
    try store.requireClosable()
    stop()
    try store.close()
    log.debug("database closed")
  }

  /// Ends what runs by itself. It waits for no listener, and for no purge.
  private func stop() {
    expirationObservation.cancel()
    expirations.stop()
    changes.stop()
  }

  /// The full-text indexes of a collection as the file has them now.
  func fullTextIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [InvertedIndex] {
    try schema(of: collection, db).fullTextIndexes
  }

  /// The value and array indexes of a collection as the file has them now.
  func valueIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [OrderedIndex] {
    try schema(of: collection, db).valueIndexes
  }

  /// The indexes of a collection as the file has them now.
  func schema(of collection: CollectionRecord, _ db: GRDB.Database) throws -> CollectionSchema {
    let (version, cached) = try knownSchema(of: collection, db)
    if let cached { return cached }
    let schema = CollectionSchema(
      collection, fullTextIndexes: try FullTextCatalog.indexes(of: collection.id, db),
      valueIndexes: try ValueIndexCatalog.indexes(of: collection.id, db),
      patternIndexes: try PatternIndexCatalog.indexes(of: collection.id, db))
    // What a transaction sees of its own changes may be rolled back, and the version number be used again by another.
    guard !hasChangedCatalog else { return schema }
    known.withLock { known in
      if known.version != version { known = KnownIndexes(version: version) }
      known.byCollection[collection.id] = schema
    }
    return schema
  }

  /// The pattern indexes of a collection. Making ready a full-text index takes as long as a search with these.
  func patternIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [TrigramIndex.PatternIndex] {
    let known = try knownSchema(of: collection, db).schema
    if let known { return known.patternIndexes }
    return try PatternIndexCatalog.indexes(of: collection.id, db)
  }

  private func knownSchema(
    of collection: CollectionRecord, _ db: GRDB.Database
  ) throws -> (version: Int64, schema: CollectionSchema?) {
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
    // An index that the outer batch itself has made stays when an inner one fails.
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
      // The catalog may be another again than the writers were made for.
      if store.isWriting {
        writerCache.removeAll()
        if writerCache.hasCreatedIndex, !hadCreatedIndex {
          try store.writeInsideOpenTransaction { $0.fail(DatabaseEngine.createdIndexIsGone) }
        }
      }
      throw error
    }
  }

  /// Calls `body` with the writer of a collection, in the transaction that is open or in one of its own.
  func change<T>(_ collection: CollectionRecord, _ body: (CollectionWriter) throws -> T) throws -> T {
    try Interruption.check()
    try models.requireNoModel(isWriting: store.isWriting)
    let result = try store.writeInsideOpenTransaction { try body(writer(for: collection, in: $0)) }
    return try result ?? write { try body(writer(for: collection, in: $0)) }
  }

  /// The writer of a collection's documents and indexes. It is made once a transaction.
  func writer(for collection: CollectionRecord, in transaction: WriteTransaction) throws -> CollectionWriter {
    if let writer = writerCache.writers[collection.id] { return writer }
    let writer = try CollectionWriter(
      documents: transaction.documents(in: collection), schema: schema(of: collection, transaction.db), transaction
    ) { [unowned self] index in try leaveIncomplete(index, in: transaction) }
    writerCache.writers[collection.id] = writer
    return writer
  }

  /// Notes that an index lacks a document for which no prediction could be made.
  private func leaveIncomplete(_ index: OrderedIndex, in transaction: WriteTransaction) throws {
    guard !index.isOutdated else { return }
    try ValueIndexCatalog.markIncomplete(index, transaction.db)
    // There is no index more or less: the writers stay.
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }

  /// Notes that this transaction has made an index.
  func didCreateIndex() { writerCache.hasCreatedIndex = true }

  /// SQLite cannot go on with a transaction in which a virtual table was made and the making rolled back.
  private static let createdIndexIsGone = CBLError(
    CBLError.transactionNotClosed,
    "a batch inside this one made an index and failed; this batch must fail, too. Make indexes outside of batches")

  /// Tells this transaction and every process that collections or indexes have changed.
  func catalogDidChange(in transaction: WriteTransaction) throws {
    writerCache.removeAll()
    writerCache.hasChangedCatalog = true
    try transaction.catalogDidChange()
  }
}

/// The writers of the open transaction, made for its catalog: forgotten when the catalog changes, or changes back because
/// an inner batch is rolled back.
///
/// `@unchecked Sendable`: used only inside blocks of ``DocumentStore/Store/write(_:)``, whose serial queue is the lock.
private final class WriterCache: @unchecked Sendable {
  var writers: [Int64: CollectionWriter] = [:]
  /// Whether collections or indexes were changed since the outermost transaction began.
  var hasChangedCatalog = false
  /// Whether an index was made since then.
  var hasCreatedIndex = false

  func removeAll() { writers.removeAll() }
}
