import Foundation
import SQLiteAccess

/// The write-ahead log of a file.
enum WriteAheadLog {
  /// Checkpoints and deletes the log if no connection has the file open.
  ///
  /// SQLite does so when the last connection closes, unless that connection is read-only. GRDB's pool closes its
  /// readers last, and a read-only store has no other connections. So one more connection is opened and closed. If that
  /// fails, the log remains until the file is opened again.
  static func clear(_ path: String) {
    guard access(path, W_OK) == 0 else { return }
    guard let location = try? FileLocation.ofFile(path),
      let connection = try? FileLocation.open(location, .writing)
    else { return }
    defer { connection.close() }
    // The connection does not open the log before its first read.
    try? connection.execute("PRAGMA schema_version")
  }

  /// Checkpoints the log as far as readers and writers allow, without waiting for them.
  ///
  /// - Parameter location: A location from ``FileLocation/ofFile(_:)``.
  /// - Returns: Whether the whole log was copied to the file.
  static func checkpoint(_ location: String) -> Bool {
    guard let connection = try? FileLocation.open(location, .writing) else { return false }
    defer { connection.close() }
    connection.setBusyTimeout(0)
    try? connection.execute("PRAGMA schema_version")
    // With a timeout of 0 this falls back to a passive checkpoint if another connection is writing.
    return (try? connection.checkpoint()) != nil
  }
}
