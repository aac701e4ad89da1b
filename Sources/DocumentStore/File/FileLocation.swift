import Foundation
import GRDB
import SQLiteAccess

/// The file names and URIs that SQLite uses to open the file at a path.
enum FileLocation {
  /// Returns the path in a form that SQLite can only interpret as a file name.
  ///
  /// SQLite can be built to treat names that begin with `file:` as URIs, and treats `:memory:` as a database in memory.
  /// An absolute path is neither, and stays valid when the process changes its working directory.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/cannotOpen`` if the path is empty or contains a null
  ///   character.
  static func ofFile(_ path: String) throws -> String {
    guard !path.isEmpty else { throw StoreError(.cannotOpen, "the path of the database is empty; give a path") }
    guard !path.utf8.contains(0) else {
      throw StoreError(.cannotOpen, "the path of the database contains the character U+0000; give another path")
    }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { return "./" + path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Returns the location for opening a file read-only.
  ///
  /// SQLite creates a file next to a database in WAL mode, even for reading. In folders that are not writable, such as
  /// those of another user or of a read-only container layer, the file is opened as immutable, unless it has a
  /// write-ahead log.
  ///
  /// See "Read-Only Databases" in <https://www.sqlite.org/wal.html>.
  static func forReading(_ path: String) throws -> String {
    let file = try ofFile(path)
    guard access(PathComponents.folder(of: file), W_OK) != 0, access(file + "-shm", F_OK) != 0, !hasLog(path) else {
      return file
    }
    return "\(uriPrefix)\(file.utf8.map(escaped).joined())?immutable=1"
  }

  /// Opens a connection, separate from those of GRDB's pool, to a file of unknown origin.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/cannotOpen``.
  static func open(_ location: String, _ access: DirectConnection.Access) throws -> DirectConnection {
    do {
      let connection = try DirectConnection(location, isURI: isURI(location), access)
      try UntrustedSchemaSettings.apply(to: connection)
      return connection
    } catch let error as DatabaseError {
      throw StoreError(.cannotOpen, "\(location): cannot be opened (\(error.message ?? "\(error.resultCode)"))")
    }
  }

  /// Returns whether SQLite must interpret a location as a URI.
  static func isURI(_ location: String) -> Bool { location.hasPrefix(uriPrefix) }

  /// Returns whether a file's write-ahead log contains changes.
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
