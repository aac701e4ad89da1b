import DocumentStore
import Foundation
import QueryCompiler
import TextIndex
import TrigramIndex

/// A database: one file of JSON documents in collections, with their indexes.
///
/// ```swift
/// let database = try Database(name: "travel")
/// let hotels = try database.createCollection(name: "hotels")
/// try hotels.save(document: MutableDocument(data: ["name": "Hotel Ghia"]))
/// ```
///
/// The file is `NAME.concord` in ``DatabaseConfiguration/directory``: a SQLite database in WAL mode that the stock
/// `sqlite3` program can read. Several `Database` objects, threads and processes may use one file at a time: readers
/// see the last committed state, writers wait for each other.
public final class Database: Sendable {
  /// The name of the scope that every database has.
  public static let defaultScopeName = Scope.defaultScopeName
  /// The name of the collection that every database has.
  public static let defaultCollectionName = Collection.defaultCollectionName
  /// What a database's file is called behind its name.
  public static let fileExtension = "concord"

  /// The database's name: the file's, without its extension.
  public let name: String
  /// How it was opened.
  public let config: DatabaseConfiguration
  /// The path of the file; nil when the database is closed.
  public var path: String? { engine.store.isOpen ? engine.store.path : nil }

  let engine: DatabaseEngine

  /// Opens a database, and creates it when there is none.
  ///
  /// - Parameters:
  ///   - name: the file's name without `.concord`. It may not be empty or hold a `/`.
  ///   - config: where and how.
  /// - Throws: ``CBLError``: ``CBLError/cantOpenFile``, ``CBLError/unreadableDatabase`` for a file of something else,
  ///   ``CBLError/databaseTooNew``, ``CBLError/notFound`` when it may not be created.
  /// - Complexity: O(1), unless full-text indexes are made anew, see
  ///   ``DatabaseConfiguration/rebuildsOutdatedIndexes``.
  public convenience init(name: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
    try Database.checkName(name)
    if config.createsDatabase, !config.isReadOnly {
      try withPublicErrors { try Database.makeDirectory(config.directory) }
    }
    try self.init(path: Database.path(name, config.directory), config: config)
  }

  /// Opens the database in a file, whatever it is called.
  ///
  /// - Parameters:
  ///   - path: the file. Its folder must exist.
  ///   - config: how. Its directory is not used.
  /// - Throws: as ``init(name:config:)``; ``CBLError/cantOpenFile`` where the folder does not exist.
  public init(path: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
    name = PathParts.stem(of: path)
    self.config = config
    guard config.encryptionKey == nil else {
      throw CBLError(
        CBLError.unsupportedEncryption,
        "\(path): this library does not encrypt; set no encryptionKey, and use an encrypted disk")
    }
    engine = try withPublicErrors {
      try DatabaseEngine(
        path: path, configuration: config.storeConfiguration, log: DatabaseLog(config, path: path),
        isForChecking: config.isForChecking)
    }
    engine.log.debug("database opened", ["readOnly": "\(config.isReadOnly)"])
    engine.models.readBlobs(from: self)
    let isWriting = !config.isReadOnly && !config.isForChecking
    if isWriting { try withPublicErrors { try prepareForWriting() } }
    if !config.migrations.isEmpty, !config.isForChecking { try migrate(config.migrations) }
    if isWriting { engine.startExpiring() }
  }

  /// Makes what every database has, and makes indexes anew whose terms this library would not find any more: those that
  /// were filled with another version of ICU, of Snowball, or of our own rules.
  private func prepareForWriting() throws {
    let (isComplete, outdated) = try engine.store.read { db in
      (
        try CollectionCatalog.find(.default, db) != nil,
        try IndexCatalog.collectionsWithOutdatedIndexes(
          [
            .fullText: Analyzer.version, .value: OrderedIndex.currentVersion,
            .pattern: TrigramIndex.PatternIndex.currentVersion,
          ], db)
      )
    }
    // Asked first, so that opening takes no write lock unless there is something to do.
    if !isComplete { _ = try engine.write { try $0.createCollection(.default) } }
    guard config.rebuildsOutdatedIndexes, !outdated.isEmpty else { return }
    for record in try engine.store.read({ try CollectionCatalog.all($0) }) where outdated.contains(record.id) {
      let collection = Collection(record, in: self)
      let schema = try engine.store.read { try engine.schema(of: record, $0) }
      let names =
        schema.fullTextIndexes.filter(\.isOutdated).map(\.name)
        + schema.valueIndexes.filter { $0.isOutdated && !$0.makesPredictions }.map(\.name)
        + schema.patternIndexes.filter(\.isOutdated).map(\.name)
      for name in names {
        engine.log.info("rebuilding an outdated index", ["collection": "\(record.name)", "index": "\(name)"])
        try collection.rebuildIndex(forName: name)
      }
      for index in schema.valueIndexes where index.isOutdated && index.makesPredictions {
        try collection.refreshPredictions(of: index)
      }
    }
  }

  /// Runs a block whose changes are saved together or not at all.
  ///
  /// ```swift
  /// try database.inBatch {
  ///   for number in 1...1000 { try users.save(document: MutableDocument(data: ["number": number])) }
  /// }
  /// ```
  ///
  /// Saving in batches is many times faster than one by one. Nobody else sees a part of a batch. Batches nest: if an inner
  /// one throws, only its own changes are rolled back.
  ///
  /// - Returns: what the block returns.
  /// - Throws: ``CBLError/unexpectedError`` if the block throws, whatever it throws. Nothing of the batch is saved then. The
  ///   error of the block is the underlying error, `userInfo[NSUnderlyingErrorKey]`, also where batches are nested. Errors of
  ///   the batch itself have their own codes: ``CBLError/busy``, ``CBLError/ioError``, ``CBLError/notWriteable``.
  @discardableResult
  public func inBatch<T>(using block: () throws -> T) throws -> T {
    try withPublicErrors {
      try engine.write { _ in
        do { return try block() } catch { throw CBLError.rolledBack(by: error) }
      }
    }
  }

  /// Closes the file. Using the database or its collections afterwards throws ``CBLError/notOpen``, and listeners are
  /// called no more.
  public func close() throws { try withPublicErrors { try engine.close() } }

  /// Closes the database and deletes its file.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notOpen`` when it is closed; ``CBLError/busy`` when another `Database` object or
  ///   process has it open, and then nothing is deleted; where it is another process, this object is closed then.
  public func delete() throws {
    try withPublicErrors {
      guard let path else { throw CBLError(CBLError.notOpen, "\(engine.store.path): the database is closed") }
      guard engine.store.isOnlyOne else {
        throw CBLError(
          CBLError.busy, "\(path): the database is open in another Database object; close that one first")
      }
      try close()
      try StoreFile.delete(engine.store.absolutePath)
    }
  }

  /// Whether there is a database with this name.
  public static func exists(withName name: String, inDirectory directory: String? = nil) -> Bool {
    FileManager.default.fileExists(atPath: path(name, directory ?? DatabaseConfiguration.defaultDirectory))
  }

  /// Deletes the file of a database that nobody has open; does nothing if there is no such database.
  ///
  /// - Throws: ``CBLError``: ``CBLError/busy`` if somebody has it open, in this process or another; ``CBLError/ioError``.
  public static func delete(withName name: String, inDirectory directory: String? = nil) throws {
    try checkName(name)
    do {
      try StoreFile.delete(path(name, directory ?? DatabaseConfiguration.defaultDirectory))
    } catch let error as StoreError where error.kind == .notFound {
      // Another process may have deleted it after this one was asked to.
    } catch {
      throw CBLError.wrapping(error)
    }
  }

  /// Copies a database, which may be open: the copy has what was committed last.
  ///
  /// ```swift
  /// try Database.copy(fromPath: "/usr/share/travel/travel.concord", toDatabase: "travel", withConfig: nil)
  /// ```
  ///
  /// - Parameters:
  ///   - path: the file to copy, see ``path``.
  ///   - name: the name of the copy.
  ///   - config: where the copy is to be; nil for the defaults.
  /// - Throws: ``CBLError``: ``CBLError/notFound``; ``CBLError/cantOpenFile`` when there is a database with that name;
  ///   ``CBLError/unreadableDatabase``; ``CBLError/ioError``.
  /// - Complexity: O(n) in the size of the file, in little memory.
  public static func copy(
    fromPath path: String, toDatabase name: String, withConfig config: DatabaseConfiguration?
  ) throws {
    try checkName(name)
    let directory = (config ?? DatabaseConfiguration()).directory
    let destination = Database.path(name, directory)
    try withPublicErrors {
      try makeDirectory(directory)
      try StoreFile.copy(path, to: destination)
    }
  }
}

extension Database {
  private static func path(_ name: String, _ directory: String) -> String {
    let current = directory.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    return "\(current)\(directory)\(directory.hasSuffix("/") || directory.isEmpty ? "" : "/")\(name).\(fileExtension)"
  }

  private static func checkName(_ name: String) throws {
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
      throw CBLError(
        CBLError.invalidParameter, "\"\(name)\" is not a name for a database: it is empty or holds a slash")
    }
  }

  private static func makeDirectory(_ directory: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw CBLError(
        CBLError.cantOpenFile, "\(directory): the folder cannot be made (\(error.localizedDescription))")
    }
  }
}

extension DatabaseConfiguration {
  fileprivate var storeConfiguration: StoreConfiguration {
    var store = StoreConfiguration()
    store.isReadOnly = isReadOnly
    store.createsFile = createsDatabase
    store.fullSync = fullSync
    store.busyTimeout = busyTimeout
    store.pageCacheSize = pageCacheSize
    return store
  }
}
