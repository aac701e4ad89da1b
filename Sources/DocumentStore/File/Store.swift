import Foundation
import GRDB
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
  private let placeholder: PlaceholderFile?
  /// The location that is passed to SQLite: the path, or a URI with parameters.
  let location: String
  /// Notifies observers of commits.
  let commits: CommitNotifier

  /// The identity of the opened file; nil if the file was deleted right after it was opened.
  let identity: FileIdentity?
  let pool: StorePool
  /// Nil if the rows are in another database.
  let readers: ReaderConnections?
  let gate = CallGate()
  /// The thread that is inside ``write(_:)``, or 0. Reads of that thread use the writing connection, so that a batch
  /// sees its own changes.
  let writerThread = Atomic<UInt>(0)
  let writerState = WriterState()
  /// The target queue of GRDB's writing queue. Its specific value identifies code that runs on that queue.
  let writerQueue = DispatchQueue(label: "concordance.writer")
  static let writerKey = DispatchSpecificKey<ObjectIdentifier>()
  /// The number of nested reads of each thread.
  let readDepths = Mutex<[UInt: Int]>([:])
  let pointReaders: PointReaders
  let stateWatch: StateWatch
  /// The number of helper threads in use; see ``ReaderPool``.
  let helperCount = Locked(0)
  /// Threads that help a read.
  public let helperThreads = WorkerThreads(maximumCount: Store.maximumHelperCount)
  /// Checkpoints the log. Nil if the file is read-only, or if the rows are in another database.
  let backgroundCheckpoint: BackgroundCheckpoint?
  private let isClosed = Atomic(false)
  /// The number of this store in ``ExitCheckpoint``.
  private let exitCheckpoint = Locked<UInt64?>(nil)

  /// Opens the file. Creates it if it does not exist and the configuration allows it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - configuration: the configuration.
  /// - Throws: ``StoreError``.
  public convenience init(path: String, configuration: StoreConfiguration = StoreConfiguration()) throws {
    var configuration = configuration
    configuration.busyTimeout = StoreConfiguration.possibleTimeout(configuration.busyTimeout)
    if let remote = configuration.remote {
      try self.init(remote: remote, configuration)
    } else {
      try self.init(file: path, configuration)
    }
  }

  /// Opens a store whose rows are in another database.
  private init(remote: any RemoteStorage, _ configuration: StoreConfiguration) throws {
    self.configuration = configuration
    path = remote.name
    let placeholder = try PlaceholderFile()
    self.placeholder = placeholder
    absolutePath = placeholder.path
    location = absolutePath
    stateWatch = StateWatch(location: location)
    pointReaders = PointReaders(location: location, busyTimeout: configuration.busyTimeout)
    do {
      var settings = Store.connectionSettings(configuration)
      settings.writeTargetQueue = writerQueue
      pool = StorePool(location, settings, busyTimeout: configuration.busyTimeout)
      _ = try pool.opened()
    } catch {
      placeholder.delete()
      throw StoreError.translating(error, path: remote.name, busyTimeout: configuration.busyTimeout)
    }
    identity = nil
    readers = nil
    backgroundCheckpoint = nil
    commits = CommitNotifier.notifier(ofFile: absolutePath)
    writerState.remote = remote
    didInitialize()
  }

  /// Opens a file.
  private init(file path: String, _ configuration: StoreConfiguration) throws {
    self.configuration = configuration
    self.path = path
    placeholder = nil
    absolutePath = try FileLocation.ofFile(path)
    location = try configuration.isReadOnly ? FileLocation.forReading(path) : FileLocation.ofFile(path)
    let file = OpenedFile(path, absolutePath: absolutePath)
    stateWatch = StateWatch(location: location, file)
    pointReaders = PointReaders(location: location, busyTimeout: configuration.busyTimeout, file)
    try Store.requireUsableFile(
      path, at: location, configuration, keptBy: configuration.isReadOnly ? stateWatch : nil)
    do {
      var settings = Store.connectionSettings(configuration, file)
      settings.writeTargetQueue = writerQueue
      pool = StorePool(location, settings, busyTimeout: configuration.busyTimeout)
      // Most reads use other connections.
      if !configuration.isReadOnly { _ = try pool.opened() }
      let identity = FileIdentity(ofFile: absolutePath)
      self.identity = identity
      file.didOpen(identity)
      backgroundCheckpoint =
        configuration.isReadOnly
        ? nil
        : BackgroundCheckpoint(location) { [absolutePath] in
          identity == nil || FileIdentity(ofFile: absolutePath) != identity
        }
      readers = ReaderConnections(location, settings, maximumCount: ProcessorCount.active)
      commits = CommitNotifier.notifier(ofFile: absolutePath)
      didInitialize()
      // Registered before the calls below that may throw: `deinit` then closes the store, which removes the entry.
      if !configuration.isReadOnly {
        exitCheckpoint.withLock {
          $0 = ExitCheckpoint.add(
            location, path: absolutePath, identity: identity, report: configuration.didCheckpointAtExit)
        }
        try upgrade()
      }
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

  /// Prepares writing, and counts the store among those of its file.
  private func didInitialize() {
    commits.didOpenStore()
    writerState.commits = commits
    writerState.indexMemory = configuration.indexMemory
    writerQueue.setSpecific(key: Store.writerKey, value: ObjectIdentifier(writerState))
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
      placeholder?.delete()
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

  /// Returns whether another store of this process is of the same database, whatever its path or address.
  public func sharesDatabase(with other: Store) -> Bool {
    if let remote, let other = other.remote { return remote.identity == other.identity }
    return commits === other.commits
  }

  /// Throws a ``StoreError`` of kind ``StoreErrorKind/badDocumentID`` for an id that the database cannot store.
  public func checkDocumentID(_ id: String) throws {
    try DocumentIDRule.check(id)
    guard !isFile, id.utf8.contains(0) else { return }
    throw StoreError(
      .badDocumentID,
      "the document id \"\(id.replacing("\0", with: "\\u0000"))\" contains U+0000, which PostgreSQL cannot store")
  }

  /// The folder for the content of streams that is not stored yet: that of the file. For a database on PostgreSQL it is
  /// in the folder for temporary files, which `TMPDIR` selects.
  package var folderOfTemporaryFiles: String { PathComponents.folder(of: absolutePath) }

  /// Throws if this thread cannot close the file because it is inside a read or a write.
  public func requireClosable() throws { try requireNoOpenBlock("closed") }

  /// Throws if the store cannot be verified now, because this thread is inside a read or a write: the counters of a
  /// batch are written when it is committed.
  public func requireVerifiable() throws { try requireNoOpenBlock("verified") }
}
