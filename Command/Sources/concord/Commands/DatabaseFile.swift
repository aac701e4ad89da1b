import Foundation

/// The file of a database on disk.
enum DatabaseFile {
  /// Returns its size in bytes, including the write-ahead log.
  static func size(_ path: String) -> Int { sizeOfFile(path) + logSize(path) }

  /// Returns the size of its write-ahead log in bytes.
  static func logSize(_ path: String) -> Int { sizeOfFile(path + "-wal") }

  private static func sizeOfFile(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
