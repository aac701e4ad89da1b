import DocumentStore
import Foundation
import QueryCompiler
import SQLiteAccess
import TextIndex

/// A database: a file that contains JSON documents in collections, and their indexes.
///
/// ```swift
/// let database = try Database(name: "travel")
/// let hotels = try database.createCollection(name: "hotels")
/// try hotels.save(document: MutableDocument(data: ["name": "Hotel Ghia"]))
/// ```
///
/// The file is `NAME.concord` in ``DatabaseConfiguration/directory``: a SQLite database in WAL mode that the standard
/// `sqlite3` program can read. Several `Database` objects, threads and processes can use a file at the same time:
/// readers see the last committed state and never block, and writers wait for each other.
///
/// Public calls block the calling thread. In `async` functions, use ``async``, whose methods run on threads of the
/// database.
///
/// All methods throw ``CBLError``. After ``close()``, they throw ``CBLError/notOpen``.
///
/// ## Topics
///
/// ### Opening and closing
///
/// - ``init(name:config:)``
/// - ``init(path:config:)``
/// - ``close()``
/// - ``delete()``
/// - ``exists(withName:inDirectory:)``
/// - ``delete(withName:inDirectory:)``
/// - ``copy(fromPath:toDatabase:withConfig:)``
/// - ``name``
/// - ``path``
/// - ``isFileReplaced``
/// - ``config``
///
/// ### Collections
///
/// - ``createCollection(name:scope:)``
/// - ``collection(name:scope:)``
/// - ``collections(scope:)``
/// - ``deleteCollection(name:scope:)``
/// - ``defaultCollection()``
/// - ``scopes()``
/// - ``scope(name:)``
/// - ``defaultScope()``
///
/// ### Transactions and migrations
///
/// - ``inBatch(using:)``
/// - ``migrate(_:)``
/// - ``userVersion``
/// - ``appliedMigrations()``
///
/// ### Queries
///
/// - ``createQuery(_:)``
/// - ``createQuery(json:)``
///
/// ### Blobs, export, maintenance
///
/// - ``saveBlob(blob:)``
/// - ``getBlob(properties:)``
/// - ``exportLines(of:onDamagedDocument:_:)``
/// - ``performMaintenance(type:)``
/// - ``verify(progress:)``
/// - ``isOnPostgreSQL``
/// - ``checkServer()``
///
/// ### Tasks
///
/// - ``async``
public final class Database: Sendable {
  /// The name of the default scope: `_default`.
  public static let defaultScopeName = Scope.defaultScopeName
  /// The name of the default collection: `_default`.
  public static let defaultCollectionName = Collection.defaultCollectionName
  /// The extension of database files: `concord`.
  public static let fileExtension = "concord"

  /// The name of the database: the file name without its extension.
  public let name: String
  /// The configuration that the database was opened with.
  public let config: DatabaseConfiguration
  /// The path of the file, or the address on PostgreSQL without a password; nil if the database is closed.
  public var path: String? { engine.store.isOpen ? engine.store.path : nil }

  /// Whether another program has deleted or replaced the file since the database was opened.
  ///
  /// Reads then see the original file or, if they need a new connection, throw ``CBLError/ioError``, and so do changes.
  /// Close the database before opening the new file: the write-ahead log belongs to the path.
  ///
  /// On PostgreSQL, whether a read, a change, a listener or ``checkServer()`` has found that the tables were deleted,
  /// or created again. All of them then throw ``CBLError/ioError``.
  public var isFileReplaced: Bool { engine.store.isOpen && engine.store.isFileReplaced }

  let engine: DatabaseEngine

  /// Opens the database with the given name, and creates it if it does not exist.
  ///
  /// ```swift
  /// let database = try Database(name: "travel")  // ~/.local/share/concordance/travel.concord
  /// ```
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`. It must not be empty or contain a `/`.
  ///   - config: the folder and the options. The folder is created if it does not exist.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the name is empty or contains a `/`.
  ///   - ``CBLError/cantOpenFile`` if the file or its folder cannot be opened or created.
  ///   - ``CBLError/notFound`` if the file does not exist and ``DatabaseConfiguration/createsDatabase`` is false.
  ///   - ``CBLError/unreadableDatabase`` if the file is not a Concordance database.
  ///   - ``CBLError/databaseTooNew`` if the file was written by a newer version of this library.
  ///   - ``CBLError/unsupportedEncryption`` if the configuration has an encryption key.
  ///   - the errors of ``migrate(_:)``, which runs ``DatabaseConfiguration/migrations``.
  /// - Complexity: O(1), unless full-text indexes are rebuilt. See ``DatabaseConfiguration/rebuildsOutdatedIndexes``.
  public convenience init(name: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
    try Database.checkName(name)
    if config.createsDatabase, !config.isReadOnly {
      try withPublicErrors { try Database.makeDirectory(config.directory) }
    }
    try self.init(path: Database.path(name, config.directory), config: config)
  }

  /// Opens the database at the given path, and creates it if it does not exist.
  ///
  /// ```swift
  /// let database = try Database(path: "notes.concord")
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the file, which may have any name. Its folder must exist.
  ///   - config: the options; ``DatabaseConfiguration/directory`` is ignored.
  /// - Throws: the same errors as ``init(name:config:)``; ``CBLError/cantOpenFile`` if the folder does not exist.
  /// - Complexity: O(1), unless full-text indexes are rebuilt. See ``DatabaseConfiguration/rebuildsOutdatedIndexes``.
  public convenience init(path: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
    try self.init(path: path, config: config, indexKinds: .standard)
  }

  /// Opens the database at the given path. The file may contain indexes of the given kinds.
  init(
    path: String, config: DatabaseConfiguration, indexKinds: IndexKinds, remote: (any RemoteStorage)? = nil
  ) throws {
    name = PathComponents.stem(of: path)
    self.config = config
    guard config.encryptionKey == nil else { throw Database.encryptionError(path) }
    engine = try withPublicErrors {
      try DatabaseEngine(
        path: path, configuration: config.storeConfiguration(remote), log: DatabaseLog(config, path: path),
        isForChecking: config.isForChecking, kinds: indexKinds)
    }
    engine.log.debug("database opened", ["readOnly": "\(config.isReadOnly)"])
    engine.models.readBlobs(from: self)
    let isWriting = !config.isReadOnly && !config.isForChecking
    if isWriting { try withPublicErrors { try prepareForWriting() } }
    if !config.migrations.isEmpty, !config.isForChecking { try migrate(config.migrations) }
    if isWriting { engine.startExpiring() }
  }

  /// Creates the default collection if necessary, and rebuilds indexes that were built with another version of ICU,
  /// Snowball or the analysis rules of this library.
  private func prepareForWriting() throws {
    let (isComplete, outdated) = try engine.store.read { db in
      (
        try CollectionCatalog.find(.default, db) != nil,
        try IndexCatalog.collections(withIndexOf: engine.kinds.mayBeOutdated, db)
      )
    }
    // This is checked before writing, so that opening takes no write lock unless there is something to do.
    if !isComplete { _ = try engine.write { try $0.createCollection(.default) } }
    guard config.rebuildsOutdatedIndexes, !outdated.isEmpty else { return }
    for record in try engine.store.read({ try CollectionCatalog.all($0) }) where outdated.contains(record.id) {
      let collection = Collection(record, in: self)
      for index in try engine.store.read({ try engine.indexes(of: record, $0) }).all where index.isOutdated {
        // Programs with different versions would rebuild an index on PostgreSQL in turn, so they are refused instead.
        guard engine.store.isFile || (index as? StoredValueIndex)?.isIncomplete == true else { continue }
        engine.log.info("rebuilding an outdated index", ["collection": "\(record.name)", "index": "\(index.name)"])
        try collection.refreshIfPossible(index.name)
      }
    }
  }

  /// Runs a block in a transaction: either all of its changes are committed, or none.
  ///
  /// ```swift
  /// try database.inBatch {
  ///   for number in 1...1000 { try users.save(document: MutableDocument(data: ["number": number])) }
  /// }
  /// ```
  ///
  /// Saving many documents in a batch is many times faster than saving each in its own transaction. Other threads and
  /// processes do not see the changes until the batch is committed. Batches can be nested: if an inner batch throws,
  /// only its own changes are rolled back. There are two exceptions: if an inner batch created an index and throws, the
  /// outer batch cannot be committed either; and after an error while the indexes of a changed document were updated,
  /// the innermost batch cannot be committed, even if the block catches the error.
  ///
  /// ```swift
  /// let total = try database.inBatch {
  ///   let account = try accounts.document(id: "a1")?.toMutable() ?? MutableDocument(id: "a1")
  ///   let total = account.int(forKey: "total") + 1
  ///   try accounts.save(document: account.setInt(total, forKey: "total"))
  ///   return total
  /// }
  /// ```
  ///
  /// - Parameter block: a closure that makes the changes. It may call any method of this database that is allowed in a
  ///   batch. Other writers wait until it returns.
  /// - Returns: the value that the block returns.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/unexpectedError`` if the block throws. The batch is rolled back. ``CBLError/underlyingError`` is
  ///     the error that the block threw; if batches are nested, it is the error that the innermost block threw.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
  ///   - ``CBLError/ioError`` if the commit fails, for example because the disk is full.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/transactionNotClosed`` if the block returns after an inner batch created an index and threw.
  ///   - the error of an index that could not be updated, if the block returns after it.
  @discardableResult
  public func inBatch<T>(using block: () throws -> T) throws -> T {
    try withPublicErrors {
      try engine.write { _ in
        do { return try block() } catch { throw CBLError.rolledBack(by: error) }
      }
    }
  }

  /// Closes the file and removes all listeners.
  ///
  /// Later calls on the database and its collections throw ``CBLError/notOpen``. Closing a closed database does
  /// nothing. The replications of the database are stopped first; the call waits until they have ended.
  ///
  /// - Throws: ``CBLError``; ``CBLError/transactionNotClosed`` if it is called inside a batch, while this thread is
  ///   reading documents, or in a filter, conflict resolver or status callback of a replication of this database. The
  ///   database stays open.
  public func close() throws { try withPublicErrors { try engine.close() } }

  /// Closes the database and deletes its file.
  ///
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notOpen`` if the database is closed.
  ///   - ``CBLError/unsupported`` if it is on PostgreSQL.
  ///   - ``CBLError/busy`` if another `Database` object or another process has the file open. The file is not deleted.
  ///     If another process has it open, this object is closed anyway.
  ///   - ``CBLError/transactionNotClosed`` as for ``close()``.
  ///   - ``CBLError/ioError`` if the file cannot be deleted.
  public func delete() throws {
    try withPublicErrors {
      guard let path else { throw CBLError(CBLError.notOpen, "\(engine.store.path): the database is closed") }
      guard engine.store.isFile else {
        throw CBLError(
          CBLError.unsupported,
          "\(path): databases on PostgreSQL are not deleted by their clients; drop the schema \"concordance\" on its servers"
        )
      }
      guard engine.store.isOnlyOne else {
        throw CBLError(
          CBLError.busy, "\(path): the database is open in another Database object; close that one first")
      }
      try close()
      try StoreFile.delete(engine.store.absolutePath)
    }
  }

  /// Returns whether the file of a database exists.
  ///
  /// ```swift
  /// if !Database.exists(withName: "travel") { print("first run") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`.
  ///   - directory: the folder; nil for ``DatabaseConfiguration/defaultDirectory``.
  /// - Returns: whether it exists; false for a name that is empty or contains a `/`.
  public static func exists(withName name: String, inDirectory directory: String? = nil) -> Bool {
    guard isValid(name) else { return false }
    return FileManager.default.fileExists(atPath: path(name, directory ?? DatabaseConfiguration.defaultDirectory))
  }

  /// Deletes the file of a database that is not open. Does nothing if the file does not exist.
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`.
  ///   - directory: the folder; nil for ``DatabaseConfiguration/defaultDirectory``.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/busy`` if this process or another one has the database open.
  ///   - ``CBLError/cantOpenFile`` if it cannot be checked whether another process has the database open, for example
  ///     because this process has too many open files, or because the file is read-only.
  ///   - ``CBLError/invalidParameter`` if the name is empty or contains a `/`.
  ///   - ``CBLError/ioError`` if the file cannot be deleted.
  public static func delete(withName name: String, inDirectory directory: String? = nil) throws {
    try checkName(name)
    do {
      try StoreFile.delete(path(name, directory ?? DatabaseConfiguration.defaultDirectory))
    } catch let error as StoreError where error.kind == .notFound {
      // There is no file to delete.
    } catch {
      throw CBLError.wrapping(error)
    }
  }

  /// Copies a database. The source may be open: the copy contains its last committed state.
  ///
  /// ```swift
  /// try Database.copy(fromPath: "/usr/share/travel/travel.concord", toDatabase: "travel", withConfig: nil)
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the file to copy.
  ///   - name: the name of the copy.
  ///   - config: the configuration; nil for the default folder. Only ``DatabaseConfiguration/directory`` is used.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the file to copy does not exist.
  ///   - ``CBLError/cantOpenFile`` if a database with the name of the copy already exists. Its
  ///     ``CBLError/underlyingError`` has the domain `NSPOSIXErrorDomain` and the code `EEXIST`, which Couchbase Lite
  ///     throws directly.
  ///   - ``CBLError/unreadableDatabase`` if the file is not a Concordance database.
  ///   - ``CBLError/ioError`` if reading or writing fails.
  /// - Complexity: O(n) in the size of the file, in constant memory.
  public static func copy(
    fromPath path: String, toDatabase name: String, withConfig config: DatabaseConfiguration?
  ) throws {
    try checkName(name)
    let directory = (config ?? DatabaseConfiguration()).directory
    let destination = Database.path(name, directory)
    do {
      try makeDirectory(directory)
      try StoreFile.copy(path, to: destination)
    } catch let error as StoreError where error.kind == .alreadyExists {
      throw CBLError(
        CBLError.cantOpenFile, error.message, underlying: NSError(domain: NSPOSIXErrorDomain, code: Int(EEXIST)))
    } catch {
      throw CBLError.wrapping(error)
    }
  }
}

extension DatabaseConfiguration {
  fileprivate func storeConfiguration(_ remote: (any RemoteStorage)?) -> StoreConfiguration {
    var store = StoreConfiguration()
    store.remote = remote
    store.isReadOnly = isReadOnly
    store.createsFile = createsDatabase
    store.fullSync = fullSync
    store.busyTimeout = busyTimeout
    store.pageCacheSize = pageCacheSize
    store.indexMemory = max(1 << 20, indexMemory)
    return store
  }
}
