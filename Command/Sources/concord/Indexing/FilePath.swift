@_spi(Command) import Concordance
import Foundation

/// Paths as the system sees them.
enum FilePath {
  /// The absolute path without symbolic links, or nil when there is nothing.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The absolute path, also of a file that is not there yet.
  static func absolute(_ path: String) -> String {
    if let resolved = resolved(path) { return resolved }
    let parts = SplitPath(path)
    if let existing = resolved(parts.folder) { return (existing == "/" ? "" : existing) + "/" + parts.name }
    return path.hasPrefix("/") ? path : (resolved(".") ?? ".") + "/" + path
  }

  /// Whether there is a file, be it a dangling link. When that cannot be told, there is one.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// The bytes of a file; 0 where that cannot be told.
  static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : 0
  }

  /// An absolute path as a user in the current folder would type it: relative where it is below that folder.
  static func relative(_ path: String) -> String {
    let folder = absolute(".")
    guard FilePath.is(path, in: folder), path != folder else { return path }
    return String(decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1), as: UTF8.self)
  }

  /// Whether a path is a folder's or below it.
  static func `is`(_ path: String, in folder: String) -> Bool {
    guard folder != "/" else { return true }
    return path.utf8.starts(with: folder.utf8)
      && (path.utf8.count == folder.utf8.count
        || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
  }
}
