import Foundation
import GRDB
import SQLiteAccess

/// Operations on the file of a store that is not open.
public enum StoreFile {
  /// Deletes a file with its write-ahead log.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/notFound``, ``StoreErrorKind/inUse`` if it is open in this or
  ///   another process, ``StoreErrorKind/cannotOpen`` if this cannot be checked, for example because the file is
  ///   read-only, or ``StoreErrorKind/io``.
  public static func delete(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.notFound, "\(path): there is no such database")
    }
    let lock = try exclusiveLock(path)
    // Released after the file is deleted, so that it cannot be opened in between.
    defer { lock.close() }
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
      guard unlink(path + suffix) == 0 || errno == ENOENT else {
        throw StoreError(.io, "\(path + suffix): cannot be deleted (\(String(cString: strerror(errno))))")
      }
    }
  }

  /// Copies a file, which may be open and may be written during the copy: the result is a consistent snapshot. It gets
  /// a new identity.
  ///
  /// - Throws: ``StoreError``; of kind ``StoreErrorKind/alreadyExists`` if there is a file at the destination.
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
    try renameWithoutReplacing(unfinished, to: destination)
  }

  /// Renames a file without replacing an existing one.
  private static func renameWithoutReplacing(_ path: String, to name: String) throws {
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
      throw StoreError(.alreadyExists, "\(name): the file already exists; delete it or choose another name")
    }
    throw StoreError(.io, "\(name): cannot be written (\(String(cString: strerror(reason))))")
  }

  /// Returns a connection with an exclusive lock on the file. If the file is damaged or not a database, it has no lock.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/inUse`` if it is open, in this process or another, and
  ///   ``StoreErrorKind/cannotOpen`` if this cannot be checked, for example because the process has too many open files
  ///   or may not write the file.
  private static func exclusiveLock(_ path: String) throws -> DirectConnection {
    guard CommitNotifier.notifier(ofFile: path).openStoreCount == 0 else {
      throw StoreError(.inUse, "\(path): the database is open in this process; close every Database object of it first")
    }
    let connection = try FileLocation.open(FileLocation.ofFile(path), .writing)
    // Every open connection in WAL mode holds a shared lock, so this connection cannot get an exclusive one while
    // others exist.
    try? connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    do {
      try connection.execute("BEGIN EXCLUSIVE")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      connection.close()
      throw StoreError(.inUse, "\(path): the database is open in another process; close it there first")
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    {
      // No program can use the file.
    } catch {
      connection.close()
      // SQLite needs a writable file for the lock.
      let remedy = access(path, W_OK) == 0 ? "" : "make the file writable, or "
      throw StoreError(
        .cannotOpen,
        "\(path): not deleted, because it cannot be checked whether another process has it open (\(error)); \(remedy)delete "
          + "it and its -wal and -shm files yourself")
    }
    return connection
  }

  private static func copyPages(from source: String, to destination: String) throws {
    let from = try FileLocation.open(source, .reading)
    defer { from.close() }
    let to = try FileLocation.open(destination, .creating)
    defer { to.close() }
    for connection in [from, to] { connection.setBusyTimeout(10) }
    do {
      try from.copyPages(to: to)
      // The copy gets its own identity when it is opened. See `SourceIdentity`.
      try to.execute("INSERT OR REPLACE INTO concordance_meta (key, value) VALUES ('file_number', 0)")
    } catch let error as DatabaseError {
      let isFull = error.resultCode == .SQLITE_FULL
      throw StoreError(
        isFull ? .diskFull : .io, "\(destination): cannot be written (\(error.message ?? "\(error.resultCode)"))",
        recovery: isFull ? .freeSpace : nil)
    }
  }
}
