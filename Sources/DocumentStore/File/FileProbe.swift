import Foundation
import GRDBSQLite

/// Looks at a file before it is opened for real, so that a file of somebody else is never changed: opening it
/// would already turn its journal to WAL.
///
/// Only through SQLite. Closing a file by other means takes away every lock that this process holds on it, those of open
/// connections too ("How To Corrupt An SQLite Database File", section 2.2): another process then takes itself for the last
/// one and deletes the write-ahead log that this one writes to.
enum FileProbe {
  /// What stands at a path.
  enum Finding {
    case missing
    /// Nothing was written yet: a new file, or one whose creator was killed.
    case empty
    case ours(version: Int32)
  }

  /// Examines the file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - location: what SQLite is to open, see ``FileLocation``.
  ///   - busyTimeout: how long to wait for a process that keeps even readers out, in seconds.
  /// - Throws: ``StoreError`` for a directory, a file that cannot be read, one that is no database, and one of
  ///   another program.
  static func examine(_ path: String, at location: String, busyTimeout: Double = 5) throws -> Finding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .missing }
      throw StoreError(.cannotOpen, "\(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw StoreError(.cannotOpen, "\(path): is a directory, not a database")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotOpen, "\(path): is not a regular file; give the path of a database")
    }
    guard status.st_size > 0 else {
      // Asked again: another process may be making the file, which writes its first page before the log.
      guard !FileLocation.hasLog(path) || stat(path, &status) != 0 || status.st_size > 0 else {
        // SQLite would delete the log.
        throw StoreError(
          .corrupt,
          "\(path): the file is empty, but the write-ahead log beside it holds changes; restore a copy of both files")
      }
      return .empty
    }
    do {
      return try askSQLite(path, at: location, SQLITE_OPEN_READONLY, busyTimeout)
    } catch is NeedsRecovery {
      // Its writer was killed half-way. Taking that back is what every reader does first, and it must write for it.
      do {
        return try askSQLite(path, at: location, SQLITE_OPEN_READWRITE, busyTimeout)
      } catch is NeedsRecovery {
        throw FileProbe.unwritable(path) ?? StoreError(.readOnly, "\(path): cannot be written; use a copy")
      }
    }
  }

  /// Throws where a writer could not change the file or make the files that SQLite needs beside it.
  static func requireWritable(_ path: String) throws {
    if let error = unwritable(path) { throw error }
  }

  private static func unwritable(_ path: String) -> StoreError? {
    let folder = PathParts.folder(of: path)
    guard access(folder, F_OK) == 0 else {
      return StoreError(.cannotOpen, "\(path): the folder \(folder) does not exist; make it first")
    }
    // A file that is not there yet is made in the folder.
    let fileError = access(path, W_OK) == 0 || errno == ENOENT ? 0 : errno
    let hasAllFiles = ["", "-wal", "-shm"].allSatisfy { access(path + $0, W_OK) == 0 }
    let folderError = hasAllFiles || access(folder, W_OK) == 0 ? 0 : errno
    let problem =
      switch (fileError, folderError) {
      case (0, 0): nil as String?
      case (EROFS, _), (_, EROFS): "cannot be written: it is on a file system that is mounted read-only; use a copy"
      case (0, _):
        "cannot be written, since files cannot be made in its folder; get the right to write both, or use a copy"
      case (_, 0):
        "cannot be written (\(String(cString: strerror(fileError)))); get the right to write it, or use a copy"
      default: "cannot be written, nor can files be made in its folder; get the right to write both, or use a copy"
      }
    return problem.map { StoreError(.readOnly, "\(path): \($0)") }
  }

  /// A reader that may not write cannot take back what a killed writer has left.
  private struct NeedsRecovery: Error {}

  /// The header in the file may be older than the one in the write-ahead log, so SQLite is asked.
  private static func askSQLite(
    _ path: String, at location: String, _ access: Int32, _ busyTimeout: Double
  ) throws -> Finding {
    var handle: OpaquePointer?
    // SQLite hands out a connection even when opening fails; it must be closed in either case.
    let code = sqlite3_open_v2(
      location, &handle, access | SQLITE_OPEN_NOMUTEX | FileLocation.flags(location), nil)
    defer { sqlite3_close_v2(handle) }
    guard code == SQLITE_OK, let handle else {
      throw StoreError(.cannotOpen, "\(path): cannot be opened")
    }
    sqlite3_busy_timeout(handle, Int32(busyTimeout * 1000))
    // One state of the file for both questions: somebody may be making it.
    sqlite3_exec(handle, "BEGIN", nil, nil, nil)
    let applicationID = try integer("PRAGMA application_id", handle, path)
    let version = try integer("PRAGMA user_version", handle, path)
    if applicationID == FileFormat.applicationID { return .ours(version: version) }
    if applicationID == 0, try integer("SELECT count(*) FROM sqlite_master", handle, path) == 0 { return .empty }
    throw StoreError(
      .foreignDatabase,
      "\(path): a SQLite database of another program; give the path of a .concord file or of a new one")
  }

  private static func integer(_ sql: String, _ handle: OpaquePointer, _ path: String) throws -> Int32 {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else {
      let reason = String(cString: sqlite3_errmsg(handle))
      switch sqlite3_errcode(handle) {
      case SQLITE_READONLY where sqlite3_db_readonly(handle, "main") == 1: throw NeedsRecovery()
      case SQLITE_NOTADB: throw StoreError(.notADatabase, "\(path): not a database")
      case SQLITE_BUSY: throw StoreError(.busy, "\(path): another process keeps it locked; try again when it is done")
      case SQLITE_CORRUPT: throw StoreError(.corrupt, "\(path): the file is damaged (\(reason)); restore a copy of it")
      default: throw StoreError(.cannotOpen, "\(path): \(reason)")
      }
    }
    return sqlite3_column_int(statement, 0)
  }
}
