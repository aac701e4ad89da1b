import Foundation
public import GRDB
import SQLiteAccess
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
/// Readers see the last committed state and never a partial batch. Writers wait for each other; across processes, they
/// wait for at most ``StoreConfiguration/busyTimeout``. If a process is killed, the file keeps every committed batch
/// and nothing from the batch being written (SQLite's write-ahead log).
public final class Store: Sendable {
  /// The path of the file.
  public let path: String
  /// The configuration with which it was opened.
  public let configuration: StoreConfiguration

  /// The absolute path of the file when it was opened. The process may change its working directory afterwards.
  public let absolutePath: String
  /// The file at this path if the rows are in another database.
  private let front: FrontFile?
  /// The location that is passed to SQLite: the path, or a URI with parameters.
  let location: String
  /// Notifies observers of commits.
  let commits: CommitNotifier

  /// The identity of the opened file; nil if the file was deleted right after it was opened.
  private let identity: FileIdentity?
  private let pool: StorePool
  /// Nil if the rows are in another database.
  private let readers: ReaderConnections?
  private let gate = CallGate()
  /// The thread that is inside ``write(_:)``, or 0. Reads of that thread use the writing connection, so that a batch
  /// sees its own changes.
  private let writerThread = Atomic<UInt>(0)
  private let writerState = WriterState()
  /// The target queue of GRDB's writing queue. Its specific value identifies code that runs on that queue.
  private let writerQueue = DispatchQueue(label: "concordance.writer")
  private static let writerKey = DispatchSpecificKey<ObjectIdentifier>()
  /// The number of nested reads of each thread.
  private let readDepths = Mutex<[UInt: Int]>([:])
  private let pointReaders: PointReaders
  let stateWatch: StateWatch
  /// The number of helper threads in use; see ``ReaderPool``.
  let helperCount = Locked(0)
  let helperThreads = WorkerThreads(maximumCount: Store.maximumHelperCount)
  /// Checkpoints the log. Nil if the file is read-only, or if the rows are in another database.
  let backgroundCheckpoint: BackgroundCheckpoint?
  private let isClosed = Atomic(false)
  /// The number of this store in ``ExitCheckpoint``.
  private let exitCheckpoint = Locked<UInt64?>(nil)

  /// Opens the file. Creates it if it does not exist and the configuration allows it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - configuration: The configuration.
  /// - Throws: ``StoreError``.
  public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) throws {
    var configuration = configuration
    configuration.busyTimeout = StoreConfiguration.possibleTimeout(configuration.busyTimeout)
    self.configuration = configuration
    if let remote = configuration.remote {
      self.path = remote.name
      let front = try FrontFile()
      self.front = front
      absolutePath = front.path
      location = absolutePath
      stateWatch = StateWatch(location: location)
      pointReaders = PointReaders(location: location, busyTimeout: configuration.busyTimeout)
      do {
        var settings = Store.connectionSettings(configuration)
        settings.writeTargetQueue = writerQueue
        pool = StorePool(location, settings, busyTimeout: configuration.busyTimeout)
        _ = try pool.opened()
      } catch {
        front.delete()
        throw StoreError.translating(error, path: remote.name, busyTimeout: configuration.busyTimeout)
      }
      identity = nil
      readers = nil
      backgroundCheckpoint = nil
      commits = CommitNotifier.notifier(ofFile: absolutePath)
      commits.didOpenStore()
      writerState.commits = commits
      writerState.indexMemory = configuration.indexMemory
      writerState.remote = remote
      writerQueue.setSpecific(key: Store.writerKey, value: ObjectIdentifier(writerState))
      return
    }
    self.path = path
    front = nil
    absolutePath = try FileLocation.ofFile(path)
    location = try configuration.isReadOnly ? FileLocation.forReading(path) : FileLocation.ofFile(path)
    stateWatch = StateWatch(location: location)
    pointReaders = PointReaders(location: location, busyTimeout: configuration.busyTimeout)
    // Checked first, because SQLite's error is less specific about missing permissions.
    if !configuration.isReadOnly, access(path, F_OK) == 0 { try FileProbe.requireWritable(path) }
    // Not kept for writing, because a store that writes may first have to switch the journal of the file.
    let finding = try FileProbe.examine(path, at: location, keptBy: configuration.isReadOnly ? stateWatch : nil)
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
      pool = StorePool(location, settings, busyTimeout: configuration.busyTimeout)
      // Most reads use other connections.
      if !configuration.isReadOnly { _ = try pool.opened() }
      let identity = FileIdentity(ofFile: absolutePath)
      self.identity = identity
      backgroundCheckpoint =
        configuration.isReadOnly
        ? nil
        : BackgroundCheckpoint(location) { [absolutePath] in
          identity == nil || FileIdentity(ofFile: absolutePath) != identity
        }
      readers = ReaderConnections(location, settings, maximumCount: ProcessorCount.active)
      commits = CommitNotifier.notifier(ofFile: absolutePath)
      commits.didOpenStore()
      // Registered before the calls below that may throw: `deinit` then closes the store, which removes the entry.
      if !configuration.isReadOnly {
        exitCheckpoint.withLock {
          $0 = ExitCheckpoint.add(
            location, path: absolutePath, identity: identity, report: configuration.didCheckpointAtExit)
        }
      }
      writerState.commits = commits
      writerState.indexMemory = configuration.indexMemory
      writerQueue.setSpecific(key: Store.writerKey, value: ObjectIdentifier(writerState))
      if !configuration.isReadOnly { try upgrade() }
      // A read also reports a file that SQLite cannot read.
      if let isIndexObject = configuration.isIndexObject {
        try requireOwnSchema(isIndexObject)
      } else if configuration.isReadOnly {
        try read { _ in }
      }
    } catch {
      throw StoreError.translating(error, path: path, busyTimeout: configuration.busyTimeout)
    }
  }

  deinit { try? close() }

  /// Closes the file. Later calls throw ``StoreErrorKind/closed``; closing again has no effect.
  ///
  /// If no other connection has the file open, the write-ahead log is checkpointed and deleted.
  public func close() throws {
    guard !isClosed.load(ordering: .acquiring) else { return }
    try requireClosable()
    var last: DirectConnection?
    defer { last?.close() }
    try translatingErrors {
      try gate.close {
        // The log of a file that was replaced has the same path as that of the new file.
        if remote == nil, !isFileReplaced { last = WriteAheadLog.lastConnection(absolutePath) }
        pointReaders.close()
        stateWatch.close()
        backgroundCheckpoint?.close()
        readers?.close()
        try pool.close()
      }
    }
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    commits.didCloseStore()
    if let remote {
      remote.close()
      front?.delete()
      return
    }
    if let number = exitCheckpoint.withLock({ $0 }) { ExitCheckpoint.remove(number) }
  }

  /// Whether no other store of this process has the file open.
  public var isOnlyOne: Bool { commits.openStoreCount <= 1 }

  /// Whether the file is open.
  public var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// Throws a ``StoreError`` of kind ``StoreErrorKind/closed`` if the file is closed.
  public func requireOpen() throws {
    guard isOpen else { throw StoreError(.closed, "\(path): the database is closed") }
  }

  /// Returns whether another store of this process has the same file open, whatever its path.
  public func sharesFile(with other: Store) -> Bool { commits === other.commits }

  /// Throws if this thread cannot close the file because it is inside a read or a write.
  public func requireClosable() throws { try requireNoOpenBlock("closed") }

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
  /// - Parameter counted: The count in the catalog, which may be any number in a damaged file.
  private func liveCount(_ counted: Int64, of collection: CollectionRecord, _ db: Database) throws -> Int64 {
    try max(0, max(0, counted) - DocumentReader(collection, db).expiredCount())
  }

  /// Calls `body` inside a transaction, which is committed if it returns and rolled back if it throws.
  ///
  /// Calls can be nested: an inner call is a part of the outer transaction, and if it throws, only its own changes are
  /// rolled back.
  ///
  /// - Throws: Any error that `body` throws, and ``StoreError``.
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
      let outer = ReaderConnection.current
      return try usingPool { pool in
        try pool.unsafeReentrantWrite { db in
          try ReaderConnection.carry(outer, to: writerQueue) {
            try Deadline.withoutLimit { try outermostWrite(db, body) }
          }
        }
      }
    }
  }

  /// Calls `body` inside a transaction that is always rolled back: for checks that SQLite treats as changes.
  public func writeAndRollBack<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    var result: T?
    do {
      try write {
        result = try body($0)
        throw RollbackRequest()
      }
    } catch is RollbackRequest {
      // Thrown above to roll back.
    }
    guard let result else { throw StoreError(.database, "\(path): a check was cancelled") }
    return result
  }

  /// Calls `body` inside this thread's open transaction, without a savepoint; returns nil if none is open. For changes
  /// that are atomic by themselves: a savepoint costs more than saving a document.
  public func writeInsideOpenTransaction<T>(_ body: (WriteTransaction) throws -> T) throws -> T? {
    guard let db = try openConnection() else { return nil }
    return try translatingErrors { try body(WriteTransaction(db: db, state: writerState)) }
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

  /// Whether the calling thread is inside ``write(_:)``.
  public var isWriting: Bool {
    writerThread.load(ordering: .acquiring) == UInt(pthread_self())
  }

  /// Calls `body` with the writing connection outside any transaction, for statements that cannot run in one
  /// (`VACUUM`).
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/misuse`` if this thread is inside a read or a write.
  public func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try requireNoOpenBlock("maintained")
    return try translatingErrors {
      try requireSameFile()
      return try usingPool { pool in
        try pool.writeWithoutTransaction { db in
          defer { backgroundCheckpoint?.didCommit(LogIndex(db)) }
          return try body(db)
        }
      }
    }
  }
}

extension Store {
  /// Returns the connection of this thread's open transaction; nil if there is none, or if the thread is running a
  /// block of another dispatch queue, from which GRDB does not allow access to the connection.
  ///
  /// - Throws: An error if the transaction can only be rolled back.
  private func openConnection() throws -> Database? {
    guard isWriting, isOnWriterQueue, let db = writerState.db else { return nil }
    try WriteTransaction(db: db, state: writerState).requireIntact()
    return db
  }

  /// Calls `body` with the connection pool. ``close()`` waits until it returns.
  ///
  /// - Throws: ``StoreErrorKind/closed``.
  func usingPool<T>(_ body: (DatabasePool) throws -> T) throws -> T {
    // A nested call is allowed even while the file is being closed, because closing waits for the outer call.
    if isReading { return try body(pool.opened()) }
    guard gate.enter() else { throw StoreError(.closed, "\(path): the database is closed") }
    defer { gate.leave() }
    return try body(pool.opened())
  }

  /// Calls `body` with the connection of this thread's read, or with one that is not in use. ``close()`` waits until it
  /// returns.
  private func usingReader<T>(_ body: (Database) throws -> T) throws -> T {
    if let readers {
      if let current = readers.current { return try current.readAgain(body) }
      // The connection of another read is used only from its own queue, see above. Otherwise, the pool has another one.
      if !isReading, !isOnWriterQueue, gate.enter() {
        defer { gate.leave() }
        if let reader = try readers.take() {
          defer { readers.putBack(reader) }
          return try reader.read(body)
        }
      }
    }
    return try usingPool { try $0.unsafeReentrantRead(body) }
  }

  private var isOnWriterQueue: Bool {
    DispatchQueue.getSpecific(key: Store.writerKey) == ObjectIdentifier(writerState)
  }

  func enterRead() { readDepths.withLock { $0[UInt(pthread_self()), default: 0] += 1 } }

  func leaveRead() {
    readDepths.withLock { depths in
      let depth = (depths[UInt(pthread_self())] ?? 1) - 1
      depths[UInt(pthread_self())] = depth > 0 ? depth : nil
    }
  }

  /// Whether the calling thread is inside a read or a write.
  var isReading: Bool { isWriting || readDepths.withLock { $0[UInt(pthread_self())] } != nil }

  /// Throws if this thread is inside a read or a write.
  func requireNoOpenBlock(_ operation: String) throws {
    guard !isReading else {
      throw StoreError(
        .misuse,
        "\(path): the database cannot be \(operation) inside a batch or while documents are being read; do it "
          + "afterwards"
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
    backgroundCheckpoint?.willBegin()
    // Immediate, so that a busy file fails before any work is done.
    try remote?.beginWriting(db, busyTimeout: configuration.busyTimeout)
    do { try db.beginTransaction(.immediate) } catch {
      remote?.rollBack(db)
      throw error
    }
    let outcome = TransactionOutcome()
    writerState.outcome = outcome
    do {
      try Interruption.current?.begin()
      let transaction = WriteTransaction(db: db, state: writerState)
      let result = try body(transaction)
      try transaction.requireIntact()
      try writerState.writeDeferred(forReading: false)
      try writerState.flush(db)
      try requireSameFile()
      // Announced before readers can see the changes: a reader that sees the last change of a document already knows
      // the earlier ones.
      commits.willCommit(writerState.revisions)
      do {
        // SQLite's own commit changes nothing if the rows are in another database.
        try remote?.commit(db)
        try db.commit()
        backgroundCheckpoint?.didCommit(LogIndex(db))
      } catch {
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
      // In reverse order, so that an object changed twice ends up in its initial state.
      defer {
        outcome.end(isRolledBack: true)
        writerState.rollBackCompletions(to: 0)
      }
      writerState.discardDeferred()
      let cause = remote?.cause(of: error, db) ?? error
      remote?.rollBack(db)
      if db.isInsideTransaction { try db.rollback() }
      throw cause
    }
  }

  /// Whether the path now refers to another file than the opened one, or to no file.
  public var isFileReplaced: Bool {
    if remote != nil { return false }
    return identity == nil || FileIdentity(ofFile: absolutePath) != identity
  }

  /// Throws if the path no longer refers to the file that was opened, because changes to a deleted file would be lost.
  private func requireSameFile() throws {
    if isFileReplaced { throw StoreError.fileReplaced(path) }
  }

  /// Throws if the file contains any object that this library does not create.
  private func requireOwnSchema(_ isIndexObject: @Sendable (SchemaObject) -> Bool) throws {
    let schema = try read { try FileSchema($0, isIndexObject: isIndexObject) }
    if let unlisted = schema.unlistedCollections.first {
      throw StoreError(
        .corrupt,
        "\(path): the file is damaged: \(unlisted) contains documents of a collection that the catalog does not list; "
          + "restore a copy of the file, or read them with `sqlite3`")
    }
    guard let first = schema.foreignObjects.first else { return }
    let otherCount = schema.foreignObjects.count - 1
    let others = otherCount > 0 ? " and \(otherCount) more objects that" : ", which"
    throw StoreError(
      .foreignObject,
      "\(path): contains \(first)\(others) Concordance did not create; if it was added by mistake, remove it with "
        + "`sqlite3`, and keep other tables in another file; otherwise do not use the file")
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
      try writerState.inSavepoint(db) {
        let transaction = WriteTransaction(db: db, state: writerState)
        result = try body(transaction)
        try transaction.requireIntact()
      }
      outcome.end(isRolledBack: false)
    } catch {
      outcome.end(isRolledBack: true)
      writerState.counters = counters
      writerState.revisions.removeSubrange(revisionCount...)
      writerState.discardDeferred()
      // The rollback undoes a partially applied change.
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
      let cause = isWriting ? writerState.db.flatMap { remote?.cause(of: error, $0) } : nil
      let translated = StoreError.translating(cause ?? error, path: path, busyTimeout: configuration.busyTimeout)
      // SQLite reports only an I/O error if the files next to it were deleted as well.
      if let translated = translated as? StoreError, translated.kind == .io { try requireSameFile() }
      throw translated
    }
  }

  private func upgrade() throws {
    try pool.opened().writeWithoutTransaction { db in
      if try Int32.fetchOne(db, sql: "PRAGMA user_version") != FileFormat.currentVersion {
        try db.inTransaction(.immediate) {
          // Read again, because another process may have migrated the file while this one waited.
          let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          if version < FileFormat.currentVersion { try FileFormat.migrate(db, from: version) }
          return .commit
        }
      }
      if let identity { try SourceIdentity.update(db, fileNumber: Int64(bitPattern: identity.inode)) }
      JoinedLogWrites.begin(db)
    }
  }

  private static func connectionSettings(_ configuration: StoreConfiguration) -> Configuration {
    var settings = Configuration()
    let remote = configuration.remote
    settings.readonly = configuration.isReadOnly && remote == nil
    settings.busyMode = .timeout(configuration.busyTimeout)
    // Enabled below; GRDB's statement takes longer than the others together.
    settings.foreignKeysEnabled = false
    let synchronous = configuration.fullSync ? "FULL" : "NORMAL"
    let pageCacheSize = configuration.pageCacheSize
    let prepare = configuration.prepareConnection
    settings.prepareDatabase { db in
      try UntrustedSchemaSettings.apply(to: db)
      // The page size has an effect only while the file is empty. The log is checkpointed on another thread, see
      // ``BackgroundCheckpoint``.
      try db.runAll(
        """
        PRAGMA foreign_keys = ON;
        PRAGMA page_size = \(Store.pageSize);
        PRAGMA synchronous = \(synchronous);
        PRAGMA cache_size = \(Store.pageCacheSetting(pageCacheSize));
        PRAGMA wal_autocheckpoint = \(remote == nil ? 0 : Store.frontCheckpointPages);
        PRAGMA journal_size_limit = \(64 << 20);
        """)
      StatementInterruption.install(on: db)
      try remote?.attach(to: db)
      try prepare?(db)
    }
    return settings
  }

  /// The maximum number of helper threads: one for each processor except the caller's.
  static let maximumHelperCount = max(0, ProcessorCount.active - 1)

  /// The maximum number of readers of the pool. Helpers must leave connections for the threads that they help.
  static var maximumReaderCount: Int { max(4, ProcessorCount.active) + maximumHelperCount }

  /// The size of a connection's page cache in bytes while it scans a table.
  private static let scanCacheSize = 2 << 20

  private static func setPageCache(_ size: Int, _ db: Database) throws {
    try db.runAll("PRAGMA cache_size = \(pageCacheSetting(size))")
  }

  /// The value of `PRAGMA cache_size` for a number of bytes. A negative number is in KiB.
  private static func pageCacheSetting(_ size: Int) -> Int { -max(1, size >> 10) }

  /// The page size in bytes. With SQLite's default of 4,096 bytes, a page holds only three documents of 1 kB, and one
  /// sixth of it is wasted.
  private static let pageSize = 8192

  /// The size of the log, in pages, at which SQLite checkpoints a file whose rows are in another database.
  private static let frontCheckpointPages = 1000
}

extension Database {
  /// Calls `body` in a read transaction.
  ///
  /// GRDB's `inTransaction` compiles the statements that begin and end it each time.
  fileprivate func inReadTransaction<T>(_ remote: (any RemoteStorage)?, _ body: () throws -> T) throws -> T {
    try remote?.beginReading(self)
    defer { remote?.endReading(self) }
    try SQLStatement(cached: "BEGIN DEFERRED TRANSACTION", in: self).run()
    do {
      let result = try body()
      try rollBackRead()
      return result
    } catch {
      // This error is the cause; an error from the rollback is only a consequence.
      try? rollBackRead()
      throw remote?.cause(of: error, self) ?? error
    }
  }

  /// Ends a read transaction. If the read found damage, a commit would fail, but a rollback does not. SQLite has
  /// already rolled back after some errors.
  private func rollBackRead() throws {
    if !isAutocommitting { try SQLStatement(cached: "ROLLBACK", in: self).run() }
  }
}

/// Thrown to roll back a transaction that must not be committed.
private struct RollbackRequest: Error {}
