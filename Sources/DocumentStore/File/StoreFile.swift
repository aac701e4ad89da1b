import Foundation
import GRDBSQLite

/// Operations on the file of a store that is not open.
public enum StoreFile {
  /// Deletes a file with its write-ahead log.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/notFound``, ``StoreError/Kind/inUse`` if it is open in this or
  ///   another process, or ``StoreError/Kind/io``.
  public static func delete(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.notFound, "\(path): there is no such database")
    }
    let lock = try exclusiveLock(path)
    // Released after the file is deleted, so that it cannot be opened in between.
    defer { sqlite3_close_v2(lock) }
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
      guard unlink(path + suffix) == 0 || errno == ENOENT else {
        throw StoreError(.io, "\(path + suffix): cannot be deleted (\(String(cString: strerror(errno))))")
      }
    }
  }

  /// Copies a file, which may be open and written meanwhile: the copy is a consistent snapshot. It gets a new identity.
  ///
  /// - Throws: ``StoreError``; of kind ``StoreError/Kind/alreadyExists`` if there is a file at the destination.
  /// - Complexity: O(n) in the size of the file; memory is bounded.
  public static func copy(_ path: String, to destination: String) throws {
    let location = try FileLocation.forReading(path)
    switch try FileProbe.examine(path, at: location) {
    case .missing: throw StoreError(.notFound, "\(path): there is no such database")
    case .empty: throw StoreError(.notADatabase, "\(path): the file is empty")
    case .ours(let version) where version > FileFormat.currentVersion:
      throw StoreError(.newerVersion, "\(path): written by a newer version; update Concordance")
    case .ours: break
    }
    // Written under another name until it is complete, so that a partial copy cannot be opened.
    let unfinished = "\(destination).copy-\(UUID().uuidString)"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(unfinished + suffix) } }
    try copyPages(from: location, to: FileLocation.ofFile(unfinished))
    try give(unfinished, theName: destination)
  }

  /// Renames a file without replacing an existing one.
  private static func give(_ path: String, theName name: String) throws {
    // A hard link fails if the name exists; a rename would replace the file.
    if link(path, name) == 0 { return }
    var reason = errno
    if [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(reason) {
      // For file systems without hard links. Another process may create the file between the two calls; no portable
      // alternative exists.
      if access(name, F_OK) != 0, rename(path, name) == 0 { return }
      reason = access(name, F_OK) == 0 ? EEXIST : errno
    }
    if reason == EEXIST {
      throw StoreError(.alreadyExists, "\(name): there is a file already; delete it or choose another name")
    }
    throw StoreError(.io, "\(name): cannot be written (\(String(cString: strerror(reason))))")
  }

  /// Returns a connection with an exclusive lock on the file; nil if the file is not a database, which may be deleted
  /// without a lock.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/inUse`` if it is open, in this process or another.
  private static func exclusiveLock(_ path: String) throws -> OpaquePointer? {
    guard CommitNotifier.notifier(ofFile: path).openStoreCount == 0 else {
      throw StoreError(.inUse, "\(path): the database is open in this process; close every Database object of it first")
    }
    guard let handle = try? SQLiteHandle.open(FileLocation.ofFile(path), SQLITE_OPEN_READWRITE) else { return nil }
    // Every open connection in WAL mode holds a shared lock, so this connection cannot get an exclusive one while
    // others exist.
    sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
    // With any other error, the file can be deleted.
    guard sqlite3_exec(handle, "BEGIN EXCLUSIVE", nil, nil, nil) != SQLITE_BUSY else {
      sqlite3_close_v2(handle)
      throw StoreError(.inUse, "\(path): the database is open in another process; close it there first")
    }
    return handle
  }

  private static func copyPages(from source: String, to destination: String) throws {
    let from = try SQLiteHandle.open(source, SQLITE_OPEN_READONLY)
    defer { sqlite3_close_v2(from) }
    let to = try SQLiteHandle.open(destination, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    defer { sqlite3_close_v2(to) }
    for handle in [from, to] { sqlite3_busy_timeout(handle, 10_000) }
    guard let backup = sqlite3_backup_init(to, "main", from, "main") else { throw failure(destination, to) }
    // All pages in one step, so that concurrent writes cannot make it restart forever.
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw failure(destination, to) }
    let identity = "UPDATE concordance_meta SET value = lower(hex(randomblob(16))) WHERE key = 'uuid'"
    guard sqlite3_exec(to, identity, nil, nil, nil) == SQLITE_OK else { throw failure(destination, to) }
  }

  private static func failure(_ path: String, _ handle: OpaquePointer) -> StoreError {
    let kind: StoreError.Kind = sqlite3_errcode(handle) == SQLITE_FULL ? .diskFull : .io
    return StoreError(kind, "\(path): cannot be written (\(String(cString: sqlite3_errmsg(handle))))")
  }
}
