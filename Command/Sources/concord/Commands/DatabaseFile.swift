import Foundation

/// The file of a database on disk.
enum DatabaseFile {
  /// Returns its size in bytes, including the write-ahead log.
  static func size(_ path: String) -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}
