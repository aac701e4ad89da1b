import Foundation
import GRDB
import SQLiteAccess

/// Examines a file before it is opened for writing, so that a file of another program is never changed: merely opening
/// it would switch its journal to WAL.
///
/// Reads the file only through SQLite. Closing a file by other means releases every lock that this process holds on it,
/// including those of open connections ("How To Corrupt An SQLite Database File", section 2.2): another process would
/// then consider itself the last user and delete the write-ahead log to which this process writes.
enum FileProbe {
  /// The kind of file at a path.
  enum Finding {
    case missing
    /// An empty file: new, or left by a process that was killed while it created the file.
    case empty
    case ours(version: Int32)
  }

  /// The size of the header of an SQLite database, in bytes.
  private static let minimumSize = 100

  /// Examines the file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - location: the location for SQLite, see ``FileLocation``.
  ///   - busyTimeout: the number of seconds to wait for a process with an exclusive lock.
  ///   - watch: keeps the connection that has read the file, if the file is ours; nil to close the connection.
  /// - Throws: ``StoreError`` for a directory, an unreadable file, a file that is not a database, and a database of
  ///   another program.
  static func examine(
    _ path: String, at location: String, busyTimeout: Double = 5, keptBy watch: StateWatch? = nil
  ) throws -> Finding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .missing }
      throw StoreError(.cannotOpen, "\(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw folderError(path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotOpen, "\(path): is not a regular file; give the path of a database")
    }
    guard status.st_size > 0 else {
      // The size is read again, because another process may be creating the file; it writes the first page before the
      // log.
      guard !FileLocation.hasLog(path) || stat(path, &status) != 0 || status.st_size > 0 else {
        // SQLite would delete the log.
        throw StoreError(
          .corrupt,
          "\(path): the file is empty, but the write-ahead log next to it contains changes; restore a copy of both files"
        )
      }
      return .empty
    }
    // SQLite treats a file of one byte as empty and would overwrite it.
    guard status.st_size >= FileProbe.minimumSize else {
      throw StoreError(.notADatabase, "\(path): not a database")
    }
    do {
      return try openWithSQLite(path, at: location, .reading, busyTimeout, keptBy: watch)
    } catch is RecoveryRequired {
      // The writer was killed in the middle of a transaction, which must be rolled back before the file can be read.
      // That requires write access.
      do {
        return try openWithSQLite(path, at: location, .writing, busyTimeout)
      } catch is RecoveryRequired {
        throw FileProbe.unwritable(path) ?? StoreError(.readOnly, "\(path): cannot be written; use a copy")
      }
    }
  }

  /// Returns the error for a folder, which may be a database of Couchbase Lite.
  private static func folderError(_ path: String) -> StoreError {
    guard access(path + "/db.sqlite3", F_OK) == 0 else {
      return StoreError(.cannotOpen, "\(path): is a directory, not a database")
    }
    return StoreError(
      .cannotOpen,
      "\(path): is the folder of a Couchbase Lite database; importCouchbaseLite(at:) imports it into another database",
      recovery: .importCouchbaseLite)
  }

  /// Throws if a writer could not change the file or create the files that SQLite needs next to it.
  static func requireWritable(_ path: String) throws {
    if let error = unwritable(path) { throw error }
  }

  private static func unwritable(_ path: String) -> StoreError? {
    let folder = PathComponents.folder(of: path)
    guard access(folder, F_OK) == 0 else {
      return StoreError(.cannotOpen, "\(path): the folder \(folder) does not exist; create it first")
    }
    // A file that does not exist yet is created in the folder.
    let fileError = access(path, W_OK) == 0 || errno == ENOENT ? 0 : errno
    let hasAllFiles = ["", "-wal", "-shm"].allSatisfy { access(path + $0, W_OK) == 0 }
    let folderError = hasAllFiles || access(folder, W_OK) == 0 ? 0 : errno
    let problem =
      switch (fileError, folderError) {
      case (0, 0): nil as String?
      case (EROFS, _), (_, EROFS): "cannot be written: it is on a file system that is mounted read-only; use a copy"
      case (0, _):
        "cannot be written, because files cannot be created in its folder; change the permissions of both, or use a copy"
      case (_, 0):
        "cannot be written (\(String(cString: strerror(fileError)))); change its permissions, or use a copy"
      default: "cannot be written, and files cannot be created in its folder; change the permissions, or use a copy"
      }
    return problem.map { StoreError(.readOnly, "\(path): \($0)") }
  }

  /// Thrown if a read-only connection would have to roll back the transaction of a killed writer.
  private struct RecoveryRequired: Error {}

  /// Reads the ids in the header with SQLite, because the header in the write-ahead log may be newer than that in the
  /// file.
  private static func openWithSQLite(
    _ path: String, at location: String, _ access: DirectConnection.Access, _ busyTimeout: Double,
    keptBy watch: StateWatch? = nil
  ) throws -> Finding {
    guard let connection = try? DirectConnection(location, isURI: FileLocation.isURI(location), access) else {
      throw StoreError(.cannotOpen, "\(path): cannot be opened")
    }
    var isKept = false
    defer { if !isKept { connection.close() } }
    connection.setBusyTimeout(busyTimeout)
    // Both queries must see the same state, because another process may be creating the file.
    try? connection.execute("BEGIN")
    let applicationID = try integer("PRAGMA application_id", connection, path)
    let version = try integer("PRAGMA user_version", connection, path)
    if applicationID == FileFormat.applicationID {
      if let watch, (try? connection.execute("ROLLBACK")) != nil { isKept = watch.keep(connection) }
      return .ours(version: version)
    }
    if applicationID == 0, try integer("SELECT count(*) FROM sqlite_master", connection, path) == 0 { return .empty }
    throw StoreError(
      .foreignDatabase,
      "\(path): a SQLite database that belongs to another program; give the path of a .concord file or of a new one")
  }

  private static func integer(_ sql: String, _ connection: DirectConnection, _ path: String) throws -> Int32 {
    do {
      let statement = try SQLStatement(sql, on: connection)
      return try statement.step() ? Int32(truncatingIfNeeded: statement.row.int64(0)) : 0
    } catch let error as DatabaseError {
      let reason = error.message ?? "\(error.resultCode)"
      switch error.resultCode {
      case .SQLITE_READONLY where connection.isReadOnly: throw RecoveryRequired()
      case .SQLITE_NOTADB: throw StoreError(.notADatabase, "\(path): not a database")
      case .SQLITE_BUSY:
        throw StoreError(.busy, "\(path): another process holds a lock on it; try again when it is done")
      case .SQLITE_CORRUPT: throw StoreError(.corrupt, "\(path): the file is damaged (\(reason)); restore a copy of it")
      // The first process that opens a file with a log writes the index of the log.
      case .SQLITE_FULL,
        .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
        throw StoreError(
          .diskFull,
          "\(path): the disk is full, or the file size limit (`ulimit -f`) was reached, so the log of the database cannot be "
            + "read; nothing was lost", recovery: .freeSpace)
      default: throw StoreError(.cannotOpen, "\(path): \(reason)")
      }
    }
  }
}
