import Foundation
import SQLiteAccess

/// The write-ahead log of a file.
enum WriteAheadLog {
  /// Returns a connection that checkpoints and deletes the log when it is closed, if it is the last one that has the
  /// file open; nil if the file cannot be written.
  ///
  /// SQLite does so when the last connection closes, unless that connection is read-only. GRDB's pool closes its
  /// readers last, and a read-only store has no other connections. If the connection is opened before the others are
  /// closed, SQLite need not create the index of the log again.
  static func lastConnection(_ path: String) -> DirectConnection? {
    guard access(path, W_OK) == 0 else { return nil }
    guard let location = try? FileLocation.ofFile(path),
      let connection = try? FileLocation.open(location, .writing)
    else { return nil }
    // The connection does not open the log before its first read.
    try? connection.execute("PRAGMA schema_version")
    return connection
  }

  /// Checkpoints the log as far as readers and writers allow, without waiting for them.
  ///
  /// - Parameter location: a location from ``FileLocation/ofFile(_:)``.
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
