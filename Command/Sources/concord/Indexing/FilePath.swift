@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// Functions for file system paths.
enum FilePath {
  /// Returns the absolute path without symbolic links, or nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    try? FileSystem.realPath(path.isEmpty ? "." : path)
  }

  /// Returns the absolute path, even of a file that does not exist yet.
  static func absolute(_ path: String) -> String {
    if let resolved = resolved(path) { return resolved }
    let parts = FilePathComponents(path)
    if let existing = resolved(parts.folder) { return (existing == "/" ? "" : existing) + "/" + parts.name }
    return path.hasPrefix("/") ? path : (resolved(".") ?? ".") + "/" + path
  }

  /// Returns the path of a file in the folder that contains another file.
  static func path(of name: String, inFolderOf path: String) -> String {
    let folder = FilePathComponents(path).folder
    return (folder == "/" ? "" : folder) + "/" + name
  }

  /// Returns the absolute paths of a database and the files that SQLite keeps beside it.
  static func databaseFiles(_ database: String) -> Set<String> {
    Set(["", "-wal", "-shm", "-journal"].map { absolute(database) + $0 })
  }

  /// Returns whether a file or a dangling link exists; true if this cannot be determined.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Returns the size of a file in bytes; nil for a folder, pipe or device, and if it cannot be determined.
  static func regularFileSize(_ path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  /// Returns an absolute path as a user in the current folder would type it: relative if it is below that folder.
  static func relative(_ path: String) -> String {
    let folder = absolute(".")
    guard FilePath.is(path, in: folder), path != folder else { return path }
    return String(decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1), as: UTF8.self)
  }

  /// Returns whether a path is equal to that of a folder or below it.
  static func `is`(_ path: String, in folder: String) -> Bool {
    guard folder != "/" else { return true }
    return path.utf8.starts(with: folder.utf8)
      && (path.utf8.count == folder.utf8.count
        || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
  }
}
