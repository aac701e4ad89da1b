import Foundation
import GRDBSQLite

/// The write-ahead log of a file.
enum WriteAheadLog {
  /// Checkpoints and deletes the log if no connection has the file open.
  ///
  /// SQLite does so when the last connection closes, but only a connection that can write can; GRDB's pool closes its
  /// readers last, and a read-only store has no other connections. So one more connection is opened and closed. If that
  /// fails, the log stays for the next opening.
  static func clear(_ path: String) {
    guard access(path, W_OK) == 0 else { return }
    guard let location = try? FileLocation.ofFile(path),
      let handle = try? SQLiteHandle.open(location, SQLITE_OPEN_READWRITE)
    else { return }
    defer { sqlite3_close_v2(handle) }
    // The connection uses the log only after a first read.
    sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
  }

  /// Checkpoints the log as far as readers and writers allow, without waiting for them.
  ///
  /// - Parameter location: A location from ``FileLocation/ofFile(_:)``.
  /// - Returns: Whether the whole log is in the file now.
  static func checkpoint(_ location: String) -> Bool {
    guard let handle = try? SQLiteHandle.open(location, SQLITE_OPEN_READWRITE) else { return false }
    defer { sqlite3_close_v2(handle) }
    sqlite3_busy_timeout(handle, 0)
    sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
    // With a timeout of 0 this falls back to a passive checkpoint if another connection is writing.
    return sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }
}
