import Foundation
public import GRDB
import Synchronization

/// A file of documents: one writer, many readers, in any number of threads and processes.
///
/// ```swift
/// let store = try Store(path: "hotels.concord")
/// try store.write { transaction in
///   let hotels = try transaction.createCollection(CollectionName("hotels"))
///   …
/// }
/// ```
///
/// Readers see the last committed state and never half a batch. Writers wait for each other; across processes for
/// at most ``StoreConfiguration/busyTimeout``. A process that is killed at any moment leaves a file with every
/// committed batch and nothing of the batch that it was writing (SQLite's write-ahead log).
public final class Store: Sendable {
  /// The path of the file.
  public let path: String
  /// How it was opened.
  public let configuration: StoreConfiguration

  /// The absolute path of the file when it was opened: the process may change its working directory afterwards.
  public let absolutePath: String
  /// What SQLite opens: the path, or an address that says how.
  let location: String
  /// Who is told of commits.
  let commits: CommitHub

  /// Which file was opened; nil where it was deleted at once.
  private let identity: FileIdentity?
  let pool: DatabasePool
  /// The thread that is inside ``write(_:)``, or 0: reads of that thread go to the writing connection, so that a
  /// batch sees its own changes.
  private let writerThread = Atomic<UInt>(0)
  private let writerState = WriterState()
  /// The queue under GRDB's writing queue, by which code knows that it runs there.
  private let writerQueue = DispatchQueue(label: "concordance.writer")
  private static let writerKey = DispatchSpecificKey<ObjectIdentifier>()
  /// How many reads each thread is inside of.
  private let readDepths = Mutex<[UInt: Int]>([:])
  private let pointReaders: PointReaders
  /// How many threads help other threads to read.
  let helperCount = Locked(0)
  let helperThreads = WorkerThreads(maximumCount: Store.maximumHelperCount)
  private let isClosed = Atomic(false)

  /// Opens the file, and creates it if it is not there and may be.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - configuration: how to open it.
  /// - Throws: ``StoreError``.
  public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) throws {
    self.path = path
    var configuration = configuration
    configuration.busyTimeout = StoreConfiguration.possibleTimeout(configuration.busyTimeout)
    self.configuration = configuration
    absolutePath = try FileLocation.ofFile(path)
    location = try configuration.isReadOnly ? FileLocation.forReading(path) : FileLocation.ofFile(path)
    pointReaders = PointReaders(location: location, busyTimeout: configuration.busyTimeout)
    // Asked first: SQLite says less about what is missing.
    if !configuration.isReadOnly, access(path, F_OK) == 0 { try FileProbe.requireWritable(path) }
    let finding = try FileProbe.examine(path, at: location)
    switch finding {
    case .missing where configuration.isReadOnly || !configuration.createsFile:
      throw StoreError(.notFound, "\(path): there is no such database")
    case .empty where configuration.isReadOnly || !configuration.createsFile:
      throw StoreError(
        .corrupt, "\(path): the file is empty: it was truncated, or its first transaction was never committed")
    case .ours(let version) where version > FileFormat.currentVersion:
      throw StoreError(
        .newerVersion,
        "\(path): written by a newer version (format \(version), this one reads up to "
          + "\(FileFormat.currentVersion)); update Concordance")
    case .missing: try FileProbe.requireWritable(path)
    default: break
    }
    do {
      var settings = Store.connectionSettings(configuration)
      settings.writeTargetQueue = writerQueue
      pool = try Store.openPool(location, settings, busyTimeout: configuration.busyTimeout)
      identity = FileIdentity(ofFile: absolutePath)
      commits = CommitHub.hub(ofFile: absolutePath)
      commits.didOpenStore()
      // Before anything that may throw from here on: `deinit` then closes the store, which removes it again.
      if !configuration.isReadOnly { ExitCheckpoint.add(location) }
      writerState.commits = commits
      writerQueue.setSpecific(key: Store.writerKey, value: ObjectIdentifier(writerState))
      if !configuration.isReadOnly { try upgrade() }
      if let isIndexObject = configuration.isIndexObject { try requireOwnSchema(isIndexObject) }
    } catch {
      throw StoreError.translating(error, path: path, busyTimeout: configuration.busyTimeout)
    }
  }

  deinit { try? close() }

  /// Closes the file. Later calls throw ``StoreError/Kind/closed``; closing again does nothing.
  ///
  /// When nobody else has it open, the write-ahead log goes into the file and disappears.
  public func close() throws {
    guard !isClosed.load(ordering: .acquiring) else { return }
    try requireClosable()
    try translatingErrors {
      pointReaders.close()
      try pool.close()
    }
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    commits.didCloseStore()
    if !configuration.isReadOnly { ExitCheckpoint.remove(location) }
    WriteAheadLog.clear(absolutePath)
  }

  /// Whether no other store of this process has the file open.
  public var isOnlyOne: Bool { commits.openStoreCount <= 1 }

  /// Whether the file is open.
  public var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// Throws a ``StoreError`` of kind ``StoreError/Kind/closed`` if the file is closed.
  public func requireOpen() throws {
    guard isOpen else { throw StoreError(.closed, "\(path): the database is closed") }
  }

  /// Whether another store of this process has the same file open, whatever its path says.
  public func sharesFile(with other: Store) -> Bool { commits === other.commits }

  /// Throws where this thread cannot close the file, because it is inside a read or a write.
  public func requireClosable() throws { try requireNoOpenBlock("closed") }

  /// Calls `body` with a connection that sees one unchanging state of the file.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try translatingErrors {
      if let db = try openConnection() { return try body(db) }
      return try pool.unsafeReentrantRead { db in
        enterRead()
        defer { leaveRead() }
        if db.isInsideTransaction { return try body(db) }
        var result: T?
        try db.inTransaction(.deferred) {
          result = try body(db)
          // Nothing was changed; and after damage was met, a commit fails where a rollback does not.
          return .rollback
        }
        guard let result else { throw StoreError(.database, "\(path): a read was cancelled") }
        return result
      }
    }
  }

  /// Calls `body` with a connection that sees one unchanging state of the file and of its full-text indexes: inside a batch of
  /// this thread, what these keep in memory is written first.
  public func readIndexes<T>(_ body: (Database) throws -> T) throws -> T {
    try writeDeferred()
    return try read(body)
  }

  /// Writes what full-text indexes keep in memory while this thread is in a batch, so that they can be read.
  public func writeDeferred() throws {
    try Deadline.withoutLimit { try writeInsideOpenTransaction { try $0.writeDeferred() } }
  }

  /// The document with this id, or nil, as the last commit or the batch of this thread left it.
  ///
  /// - Complexity: O(log n); several times faster than ``read(_:)`` around a ``DocumentReader``.
  public func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try translatingErrors {
      guard let db = try openConnection() else { return try pointReaders.document(id: id, in: collection) }
      let document = try DocumentReader(collection, db).document(id: id)
      if document == nil { try CollectionCatalog.require(collection, db) }
      return document
    }
  }

  /// The chunk of a blob with this number and the length of the whole, as the last commit or the batch of this thread left
  /// it; nil where there is no such blob.
  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    try translatingErrors {
      guard let db = try openConnection() else { return try pointReaders.blobPart(digest: digest, number: number) }
      let statement = try SQLStatement(cached: BlobPart.selection, in: db)
      defer { statement.reset() }
      statement.bind(1, number)
      return try statement.withText(2, digest) { try statement.step() ? BlobPart(statement.row) : nil }
    }
  }

  /// The number of documents of a collection, tombstones not counted, as the last commit or the batch of this thread left
  /// it. O(1).
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

  /// - Parameter counted: what the catalog counts; any number in a damaged file.
  private func liveCount(_ counted: Int64, of collection: CollectionRecord, _ db: Database) throws -> Int64 {
    try max(0, max(0, counted) - DocumentReader(collection, db).expiredCount())
  }

  /// Calls `body` inside a transaction, committed when it returns and rolled back when it throws.
  ///
  /// Calls nest: an inner one is a part of the outer transaction, and when it throws, only its own changes are
  /// rolled back.
  ///
  /// - Throws: what `body` throws, and ``StoreError``.
  public func write<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    guard !configuration.isReadOnly else {
      throw StoreError(.readOnly, "\(path): the database was opened for reading only")
    }
    return try translatingErrors {
      if let db = try openConnection() { return try Deadline.withoutLimit { try nestedWrite(db, body) } }
      guard !isWriting else {
        throw StoreError(
          .misuse,
          "\(path): inside a batch, the database was used from another dispatch queue on the same thread; use it directly "
            + "in the batch, or after it")
      }
      return try pool.unsafeReentrantWrite { db in try Deadline.withoutLimit { try outermostWrite(db, body) } }
    }
  }

  /// Calls `body` inside a transaction that is rolled back whatever happens: for checks that SQLite takes for changes.
  public func writeAndRollBack<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    var result: T?
    do {
      try write {
        result = try body($0)
        throw RollBack()
      }
    } catch is RollBack {
      // As intended.
    }
    guard let result else { throw StoreError(.database, "\(path): a check was cancelled") }
    return result
  }

  /// Calls `body` inside the transaction that this thread has open, without a savepoint around it; nil when none is
  /// open. For changes that are atomic by themselves: a savepoint costs more than saving a document.
  public func writeInsideOpenTransaction<T>(_ body: (WriteTransaction) throws -> T) throws -> T? {
    guard let db = try openConnection() else { return nil }
    return try translatingErrors { try body(WriteTransaction(db: db, state: writerState)) }
  }

  /// Calls `body`, which reads a whole table once, with a page cache that fits the processor's.
  ///
  /// Pages of such a scan are not asked for again. In the large cache each goes to memory that is cold, and drives out what
  /// other queries need: with the small one a scan took an eighth less time.
  public func scanning<T>(_ db: Database, _ body: () throws -> T) throws -> T {
    guard !isWriting else { return try body() }
    guard configuration.pageCacheSize > Store.scanCacheSize else { return try body() }
    try Store.setPageCache(Store.scanCacheSize, db)
    defer { try? Store.setPageCache(configuration.pageCacheSize, db) }
    return try body()
  }

  /// Whether the calling thread is inside ``write(_:)``.
  public var isWriting: Bool {
    writerThread.load(ordering: .acquiring) == UInt(pthread_self())
  }

  /// Calls `body` with the writing connection outside any transaction, for statements that refuse one (`VACUUM`).
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/misuse`` inside a read or a write of this thread.
  public func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try requireNoOpenBlock("maintained")
    return try translatingErrors {
      try requireSameFile()
      return try pool.writeWithoutTransaction(body)
    }
  }
}

extension Store {
  /// The connection of the transaction that this thread has open; nil where there is none, or where another dispatch
  /// queue is running on the thread, whose code GRDB does not let near the connection.
  ///
  /// - Throws: where the transaction can only be rolled back.
  private func openConnection() throws -> Database? {
    guard isWriting, DispatchQueue.getSpecific(key: Store.writerKey) == ObjectIdentifier(writerState),
      let db = writerState.db
    else { return nil }
    try WriteTransaction(db: db, state: writerState).requireSound()
    return db
  }

  private func enterRead() { readDepths.withLock { $0[UInt(pthread_self()), default: 0] += 1 } }

  private func leaveRead() {
    readDepths.withLock { depths in
      let depth = (depths[UInt(pthread_self())] ?? 1) - 1
      depths[UInt(pthread_self())] = depth > 0 ? depth : nil
    }
  }

  /// Whether the calling thread is inside a read or a write.
  var isReading: Bool { isWriting || readDepths.withLock { $0[UInt(pthread_self())] } != nil }

  /// Throws inside a read or a write of this thread.
  func requireNoOpenBlock(_ what: String) throws {
    guard !isReading else {
      throw StoreError(
        .misuse, "\(path): the database cannot be \(what) inside a batch or while documents are being read; do it after"
      )
    }
  }

  private func outermostWrite<T>(_ db: Database, _ body: (WriteTransaction) throws -> T) throws -> T {
    writerState.db = db
    writerThread.store(UInt(pthread_self()), ordering: .releasing)
    defer {
      writerThread.store(0, ordering: .releasing)
      writerState.reset()
    }
    // Taken at once, so that a busy file fails before any work is done.
    try db.beginTransaction(.immediate)
    let outcome = TransactionOutcome()
    writerState.outcome = outcome
    do {
      try Interruption.current?.begin()
      let transaction = WriteTransaction(db: db, state: writerState)
      let result = try body(transaction)
      try transaction.requireSound()
      try writerState.writeDeferred(forReading: false)
      try writerState.flush(db)
      try requireSameFile()
      // Before readers can see the changes, so that whoever reads the last change of a document knows of those before it.
      commits.willCommit(writerState.revisions)
      do { try db.commit() } catch {
        commits.didFail(writerState.revisions)
        throw error
      }
      writerState.discardDeferred()
      outcome.end(isRolledBack: false)
      let completions = writerState.completions
      writerState.completions = []
      for completion in completions { completion(true) }
      commits.didCommit(
        hasChanges: !writerState.counters.collections.isEmpty, earliestExpiration: writerState.earliestExpiration)
      return result
    } catch {
      // Told last to first, so that what was changed twice ends as it was at the start.
      defer {
        outcome.end(isRolledBack: true)
        writerState.rollBackCompletions(to: 0)
      }
      writerState.discardDeferred()
      if db.isInsideTransaction { try db.rollback() }
      throw error
    }
  }

  /// Throws where the path leads to another file by now, or to none: what is written to a deleted file is lost with it.
  private func requireSameFile() throws {
    guard let identity, FileIdentity(ofFile: absolutePath) == identity else {
      throw StoreError(
        .io, "\(path): the file was deleted or replaced while it was open; nothing of this batch was saved")
    }
  }

  /// Throws where the file holds anything that this library does not make.
  private func requireOwnSchema(_ isIndexObject: @Sendable (SchemaObject) -> Bool) throws {
    let schema = try pool.unsafeReentrantRead { try FileSchema($0, isIndexObject: isIndexObject) }
    if let unlisted = schema.unlistedCollections.first {
      throw StoreError(
        .corrupt,
        "\(path): the file is damaged: \(unlisted) holds documents of a collection that the catalog does not list; "
          + "restore a copy of the file, or read them with `sqlite3`")
    }
    guard let first = schema.foreignObjects.first else { return }
    let otherCount = schema.foreignObjects.count - 1
    let others = otherCount > 0 ? " and \(otherCount) more objects that" : ", which"
    throw StoreError(
      .foreignObject,
      "\(path): holds \(first)\(others) Concordance did not make; if somebody put it there by mistake, remove it with "
        + "`sqlite3`, and keep tables of your own in another file; otherwise do not use the file")
  }

  private func nestedWrite<T>(_ db: Database, _ body: (WriteTransaction) throws -> T) throws -> T {
    let counters = writerState.counters
    let revisionCount = writerState.revisions.count
    let completionCount = writerState.completions.count
    let outer = writerState.outcome
    try writerState.writeDeferred(forReading: false)
    let outcome = TransactionOutcome(inside: outer)
    writerState.outcome = outcome
    defer { writerState.outcome = outer }
    var result: T?
    do {
      try db.inSavepoint {
        let transaction = WriteTransaction(db: db, state: writerState)
        result = try body(transaction)
        try transaction.requireSound()
        return .commit
      }
      outcome.end(isRolledBack: false)
    } catch {
      outcome.end(isRolledBack: true)
      writerState.counters = counters
      writerState.revisions.removeSubrange(revisionCount...)
      writerState.discardDeferred()
      // What was made by half inside is undone.
      writerState.failure = nil
      writerState.rollBackCompletions(to: completionCount)
      throw error
    }
    guard let result else { throw StoreError(.database, "\(path): a write was cancelled") }
    return result
  }

  func translatingErrors<T>(_ body: () throws -> T) throws -> T {
    try requireOpen()
    do {
      return try body()
    } catch {
      throw StoreError.translating(error, path: path, busyTimeout: configuration.busyTimeout)
    }
  }

  /// Opens the connections, which turns a new file's journal to WAL.
  ///
  /// SQLite does not wait for that where two do it at once and each holds what the other needs: one of them is told at once
  /// that the file is busy, and finds it turned when it asks again.
  private static func openPool(
    _ location: String, _ settings: GRDB.Configuration, busyTimeout: Double
  ) throws -> DatabasePool {
    let end = ContinuousClock.now + .seconds(busyTimeout)
    while true {
      do {
        return try DatabasePool(path: location, configuration: settings)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(5_000)
      }
    }
  }

  private func upgrade() throws {
    try pool.writeWithoutTransaction { db in
      guard try Int32.fetchOne(db, sql: "PRAGMA user_version") != FileFormat.currentVersion else { return }
      try db.inTransaction(.immediate) {
        // Asked again: another process may have done it while this one waited.
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if version < FileFormat.currentVersion { try FileFormat.migrate(db, from: version) }
        return .commit
      }
    }
  }

  private static func connectionSettings(_ configuration: StoreConfiguration) -> Configuration {
    var settings = Configuration()
    settings.readonly = configuration.isReadOnly
    settings.busyMode = .timeout(configuration.busyTimeout)
    // Helpers must leave connections for those whom they help.
    settings.maximumReaderCount = max(4, ProcessInfo.processInfo.activeProcessorCount) + maximumHelperCount
    settings.foreignKeysEnabled = true
    let synchronous = configuration.fullSync ? "FULL" : "NORMAL"
    let pageCacheSize = configuration.pageCacheSize
    let prepare = configuration.prepareConnection
    settings.prepareDatabase { db in
      try SchemaDistrust.apply(to: db.sqliteConnection)
      // Counts only while the file is empty.
      try db.execute(sql: "PRAGMA page_size = \(Store.pageSize)")
      try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
      try setPageCache(pageCacheSize, db)
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Store.checkpointPages)")
      try db.execute(sql: "PRAGMA journal_size_limit = \(64 << 20)")
      StatementInterruption.install(on: db)
      try prepare?(db)
    }
    return settings
  }

  /// How many threads may help others to read: one for each processor but the caller's.
  static let maximumHelperCount = max(0, ProcessInfo.processInfo.activeProcessorCount - 1)

  /// Bytes of pages that a connection keeps in memory while it reads a table once.
  private static let scanCacheSize = 2 << 20

  private static func setPageCache(_ size: Int, _ db: Database) throws {
    // A negative number is in KiB.
    try db.execute(sql: "PRAGMA cache_size = -\(max(1, size >> 10))")
  }

  /// Bytes of a page. Of documents of 1 kB, SQLite's usual 4,096 hold three and waste a sixth.
  private static let pageSize = 8192

  /// Pages in the log that start a checkpoint: with SQLite's 1,000, a bulk load writes the inner pages of its
  /// b-trees into the file again and again.
  private static let checkpointPages = 4000
}

/// Ends a transaction that is not to be committed.
private struct RollBack: Error {}
