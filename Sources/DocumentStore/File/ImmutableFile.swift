import Foundation

/// Files in folders that may not be written, such as those of another user or of a read-only layer of a container.
enum ImmutableFile {
  /// What to open instead of a path for reading only. SQLite needs to make a file beside a database in WAL mode, even to
  /// read it; where it cannot, and no write-ahead log is waiting, the file is opened as one that nobody changes.
  ///
  /// See "Read-Only Databases" in <https://www.sqlite.org/wal.html>.
  static func location(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    guard access(folder.isEmpty ? "." : folder, W_OK) != 0, !FileManager.default.fileExists(atPath: path + "-shm"),
      size(path + "-wal") == 0
    else { return path }
    let absolute = URL(fileURLWithPath: path).path
    let escaped = absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? absolute
    return "file:\(escaped)?immutable=1"
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
