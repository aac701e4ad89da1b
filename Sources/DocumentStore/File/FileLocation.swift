import Foundation
import GRDBSQLite

/// What SQLite is given to open the file of a path.
enum FileLocation {
  /// The path in a form that can only be the name of a file.
  ///
  /// SQLite can be built to take names that begin with `file:` for URIs, and takes `:memory:` for a database in memory. An
  /// absolute path is neither, and stays the same file when the process changes its folder.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/cannotOpen`` for what cannot be the path of a file.
  static func ofFile(_ path: String) throws -> String {
    guard !path.isEmpty else { throw StoreError(.cannotOpen, "the path of the database is empty; give a path") }
    guard !path.utf8.contains(0) else {
      throw StoreError(.cannotOpen, "the path of the database holds the character U+0000; give another path")
    }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { return "./" + path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// What to open for reading only.
  ///
  /// SQLite makes a file beside a database in WAL mode, even to read it. In folders that cannot be written, such as those of
  /// another user or of a read-only layer of a container, the file is opened as one that nobody changes, unless a write-ahead
  /// log is waiting.
  ///
  /// See "Read-Only Databases" in <https://www.sqlite.org/wal.html>.
  static func forReading(_ path: String) throws -> String {
    let file = try ofFile(path)
    guard access(PathParts.folder(of: file), W_OK) != 0, access(file + "-shm", F_OK) != 0, !hasLog(path) else {
      return file
    }
    return "\(uriPrefix)\(file.utf8.map(escaped).joined())?immutable=1"
  }

  /// The flag that a location needs when it is opened.
  static func flags(_ location: String) -> Int32 { location.hasPrefix(uriPrefix) ? SQLITE_OPEN_URI : 0 }

  /// Whether there are changes in the write-ahead log beside a file.
  static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }

  private static let uriPrefix = "file:"

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      String(UnicodeScalar(byte))
    default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
