import Foundation
import GRDBSQLite

/// What can be done with the file of a store that is not open.
public enum StoreFile {
  /// Deletes a file with its write-ahead log.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/notFound``, ``StoreError/Kind/inUse`` where somebody has it open, or
  ///   ``StoreError/Kind/io``.
  public static func delete(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.notFound, "\(path): there is no such database")
    }
    let lock = try exclusiveLock(path)
    // Let go when the file is gone, so that nobody opens it in between.
    defer { sqlite3_close_v2(lock) }
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
      guard unlink(path + suffix) == 0 || errno == ENOENT else {
        throw StoreError(.io, "\(path + suffix): cannot be deleted (\(String(cString: strerror(errno))))")
      }
    }
  }

  /// Copies a file, which may be open and written meanwhile: the copy is as its last commit was at one moment. It gets an
  /// identity of its own.
  ///
  /// - Throws: ``StoreError``; of kind ``StoreError/Kind/alreadyExists`` where there is a file at the destination.
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
    // Under another name until it is whole, so that nobody opens half a copy.
    let unfinished = "\(destination).copy-\(UUID().uuidString)"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(unfinished + suffix) } }
    try copyPages(from: location, to: FileLocation.ofFile(unfinished))
    try give(unfinished, theName: destination)
  }

  /// Renames a file, but not over another one.
  private static func give(_ path: String, theName name: String) throws {
    // A hard link fails where the name is taken; renaming would put the copy in its place.
    if link(path, name) == 0 { return }
    var reason = errno
    if [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(reason) {
      // File systems without hard links. Between the question and the answer somebody may take the name; there is no other
      // way that works everywhere.
      if access(name, F_OK) != 0, rename(path, name) == 0 { return }
      reason = access(name, F_OK) == 0 ? EEXIST : errno
    }
    if reason == EEXIST {
      throw StoreError(.alreadyExists, "\(name): there is a file already; delete it or choose another name")
    }
    throw StoreError(.io, "\(name): cannot be written (\(String(cString: strerror(reason))))")
  }

  /// A connection that keeps everybody else out of the file; nil where the file is no database, and anybody may delete it.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/inUse`` where somebody has it open, in this process or another.
  private static func exclusiveLock(_ path: String) throws -> OpaquePointer? {
    guard CommitHub.hub(ofFile: path).openStoreCount == 0 else {
      throw StoreError(.inUse, "\(path): the database is open in this process; close every Database object of it first")
    }
    guard let handle = try? SQLiteHandle.open(FileLocation.ofFile(path), SQLITE_OPEN_READWRITE) else { return nil }
    // Every connection in WAL mode holds a shared lock as long as it is open, so this one gets none that excludes others.
    sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
    // Whatever else is wrong with the file, it can be deleted.
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
    // Every page in one step, so that what is written meanwhile cannot make it begin again for ever.
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
