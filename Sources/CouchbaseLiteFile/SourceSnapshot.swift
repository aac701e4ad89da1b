import Foundation
import GRDB
import SQLiteAccess

/// A connection that reads a SQLite file without changing it or any file next to it.
///
/// For a file in WAL mode, SQLite creates a `-shm` file even when it only reads, and the last connection checkpoints
/// the write-ahead log. Therefore, a file without a log is opened as immutable. A file with a write-ahead log or a
/// rollback journal is copied to a temporary folder together with its log or journal, and SQLite applies them to the
/// copy. The copy is deleted as soon as SQLite has opened it, or by the next import if the process is interrupted.
///
/// Neither method prevents other programs from writing, so the sizes and modification times of the files are compared
/// afterwards.
struct SourceSnapshot {
  let connection: DirectConnection
  private let path: String
  private let states: [FileState?]

  /// The suffixes of the files that contain the state of a database.
  private static let suffixes = ["", "-wal", "-journal"]

  /// The size and modification time of a file, which change when it is written.
  private struct FileState: Equatable {
    let size: Int64
    let modified: [Int]

    /// Reads the state of a file. Returns nil if the file does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      modified = [Int(time.tv_sec), Int(time.tv_nsec)]
    }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: an absolute path without symbolic links.
  ///   - temporaryFolder: the folder for a copy.
  init(path: String, temporaryFolder: String) throws {
    self.path = path
    CopyFolder.removeUnused(in: temporaryFolder)
    states = SourceSnapshot.states(path)
    let hasLog = states.dropFirst().contains { ($0?.size ?? 0) > 0 }
    do {
      connection = try hasLog ? SourceSnapshot.copy(path, temporaryFolder) : SourceSnapshot.immutable(path)
      try UntrustedSchemaSettings.apply(to: connection)
    } catch let error as DatabaseError {
      throw SourceSnapshot.translating(error, path)
    }
    if hasLog { try requireUnchanged() }
  }

  /// Throws if the file has been written since it was opened.
  func requireUnchanged() throws {
    guard SourceSnapshot.states(path) != states else { return }
    throw CouchbaseLiteFileError(
      .changed, "\(path): another program changed the database while it was being read; close it there and try again")
  }

  /// Converts a SQLite error to a ``CouchbaseLiteFileError``; returns other errors unchanged.
  func translating(_ error: any Error) -> any Error { SourceSnapshot.translating(error, path) }

  private static func translating(_ error: any Error, _ path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let detail = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return CouchbaseLiteFileError(.encrypted, "\(path): encrypted, or damaged at its beginning (\(detail))")
    // SQLite reports missing tables and columns as SQLITE_ERROR.
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
      return CouchbaseLiteFileError(.damaged, "\(path): the file is damaged (\(detail)); restore a backup")
    default:
      return CouchbaseLiteFileError(.unreadable, "\(path): cannot be read (\(detail))")
    }
  }

  private static func states(_ path: String) -> [FileState?] { suffixes.map { FileState(path + $0) } }

  private static func immutable(_ path: String) throws -> DirectConnection {
    let name = path.addingPercentEncoding(withAllowedCharacters: SourceSnapshot.pathCharacters) ?? path
    return try DirectConnection("file:\(name)?immutable=1", isURI: true, .reading)
  }

  private static let pathCharacters = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-")

  private static func copy(_ path: String, _ temporaryFolder: String) throws -> DirectConnection {
    func failure(_ error: any Error) -> CouchbaseLiteFileError {
      CouchbaseLiteFileError(
        .unreadable,
        "\(path): has a write-ahead log and cannot be copied to \(temporaryFolder) (\(error.localizedDescription))")
    }
    let folder: CopyFolder
    do { folder = try CopyFolder(in: temporaryFolder) } catch { throw failure(error) }
    defer { folder.remove() }
    let target = folder.path + "/db.sqlite3"
    do {
      for suffix in suffixes where FileState(path + suffix) != nil {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
        // The source may be read-only, but SQLite must write to the copy to apply the log.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target + suffix)
      }
    } catch {
      throw failure(error)
    }
    let writer = try DirectConnection(target, .writing)
    defer { writer.close() }
    try writer.checkpoint()
    try writer.execute("PRAGMA journal_mode = DELETE")
    writer.close()
    // An immutable connection opens no further files, so the copy can be deleted while it is open.
    return try immutable(target)
  }
}
