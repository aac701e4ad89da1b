import GRDB
import GRDBSQLite

/// A connection outside GRDB's pool, used by one thread at a time.
///
/// The pool adds dispatch queues and a transaction to every read, and always opens its file in WAL mode. This type is
/// for reads of single rows and for files that must be examined, locked, copied or checkpointed.
public final class DirectConnection {
  /// The access mode of a connection.
  public enum Access {
    case reading, writing
    /// Read and write; the file is created if it does not exist.
    case creating

    fileprivate var flags: Int32 {
      switch self {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  let handle: OpaquePointer
  private var isOpen = true

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - location: a path, or a URI if `isURI` is true.
  ///   - access: the access mode.
  /// - Throws: `DatabaseError`.
  public init(_ location: String, isURI: Bool = false, _ access: Access) throws {
    var handle: OpaquePointer?
    let flags = access.flags | SQLITE_OPEN_NOMUTEX | (isURI ? SQLITE_OPEN_URI : 0)
    let code = sqlite3_open_v2(location, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      // "Whether or not an error occurs when it is opened, resources associated with the database connection handle
      // should be released by passing it to sqlite3_close()", <https://www.sqlite.org/c3ref/open.html>.
      defer { sqlite3_close_v2(handle) }
      throw handle.map { DatabaseError(lastOf: $0) } ?? DatabaseError(resultCode: .SQLITE_NOMEM, message: "no memory")
    }
    self.handle = handle
  }

  deinit { close() }

  /// Closes the connection. Its statements can still be freed, but not run. Has no effect if the connection is closed.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    sqlite3_close_v2(handle)
  }

  /// Runs SQL that needs no parameters. Rows that it returns are skipped.
  ///
  /// - Throws: `DatabaseError`.
  public func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw DatabaseError(lastOf: handle, sql: sql) }
  }

  /// Sets how long a statement waits for a lock of another connection, in seconds.
  public func setBusyTimeout(_ seconds: Double) {
    sqlite3_busy_timeout(handle, Int32(min(seconds * 1000, Double(Int32.max))))
  }

  /// Whether the connection was opened for reading only, or the file cannot be written.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Copies every page to another connection in one step, so that writers cannot restart the copy.
  ///
  /// - Throws: `DatabaseError` of the destination.
  public func copyPages(to destination: DirectConnection) throws {
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw DatabaseError(lastOf: destination.handle)
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw DatabaseError(lastOf: destination.handle) }
  }

  /// Moves the write-ahead log into the file and truncates it. With a busy timeout of 0, it skips frames that other
  /// connections need.
  public func checkpoint() throws {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    try DatabaseError.check(code, handle)
  }

  /// Copies frames of the write-ahead log into the file without waiting for readers, writers or other checkpoints.
  ///
  /// - Returns: the number of frames in the log, and how many of them the file contains.
  public func checkpointPassively() throws -> (frameCount: Int, copiedCount: Int) {
    var (frameCount, copiedCount): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frameCount, &copiedCount)
    try DatabaseError.check(code, handle)
    return (Int(frameCount), Int(copiedCount))
  }

  /// Waits until no connection needs the write-ahead log, and copies the rest of it, so that the next transaction
  /// overwrites it.
  ///
  /// - Parameter seconds: how long it waits.
  /// - Returns: whether no connection reads from the log, and the file contains all of it.
  public func waitForReadersOfLog(_ seconds: Double) -> Bool {
    setBusyTimeout(seconds)
    defer { setBusyTimeout(0) }
    return sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil) == SQLITE_OK
  }
}
