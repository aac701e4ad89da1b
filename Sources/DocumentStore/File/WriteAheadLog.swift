import Foundation
import GRDBSQLite

/// The write-ahead log beside a file.
enum WriteAheadLog {
  /// Moves the log into the file when nobody has it open.
  ///
  /// SQLite does that when the last connection closes, but only one that may write can; GRDB's pool closes its readers
  /// last, and a store that was opened for reading only has no other. So one more connection is opened and closed. Where
  /// that is not possible, the log stays, and the next opening reads it.
  static func clear(_ path: String) {
    guard access(path, W_OK) == 0 else { return }
    guard let location = try? FileLocation.ofFile(path),
      let handle = try? SQLiteHandle.open(location, SQLITE_OPEN_READWRITE)
    else { return }
    defer { sqlite3_close_v2(handle) }
    // The connection takes part in the log only after it has read.
    sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
  }

  /// Moves the log into the file as far as readers and writers let it, without waiting for any of them.
  ///
  /// - Parameter location: from ``FileLocation/ofFile(_:)``.
  static func checkpoint(_ location: String) {
    guard let handle = try? SQLiteHandle.open(location, SQLITE_OPEN_READWRITE) else { return }
    defer { sqlite3_close_v2(handle) }
    sqlite3_busy_timeout(handle, 0)
    sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
    // With a timeout of 0 this falls back to a passive checkpoint where somebody writes.
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }
}
