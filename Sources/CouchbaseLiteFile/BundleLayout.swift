import Foundation
import SQLiteAccess

/// The files of a Couchbase Lite database.
///
/// | layout | database | blobs |
/// |---|---|---|
/// | bundle of 2.0 and later | `NAME.cblite2/db.sqlite3` | `NAME.cblite2/Attachments/` |
/// | bundle of 1.2 to 1.4 | `NAME.cblite2/db.sqlite3` | `NAME.cblite2/attachments/` |
/// | file of 1.0 and 1.1 | `NAME.cblite` | `NAME attachments/` or `NAME/attachments/` |
struct BundleLayout {
  /// The path of the SQLite file, without symbolic links: SQLite stores the write-ahead log and the journal next to the
  /// file that a link refers to.
  let database: String
  /// The folders that may contain blobs.
  let blobFolders: [String]

  /// Finds the files of a database.
  ///
  /// - Parameter path: the path of a bundle, of `db.sqlite3` in a bundle, or of a single file.
  /// - Throws: ``CouchbaseLiteFileError`` if there is no database, or if it uses ForestDB.
  init(path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw CouchbaseLiteFileError(.notFound, "the path is empty or contains U+0000; give the path of a database")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CouchbaseLiteFileError(.notFound, "\(path): no such file or directory")
    }
    let url = URL(fileURLWithPath: path)
    guard isFolder.boolValue else {
      let file = BundleLayout.resolved(url)
      database = file.path
      // The blobs are next to the link or next to the file that it refers to.
      blobFolders = (file == url ? [url] : [url, file]).flatMap { file in
        let stem = file.deletingPathExtension().lastPathComponent
        return BundleLayout.folders(
          ["Attachments", "attachments", "\(stem) attachments", "\(stem)/attachments"],
          in: file.deletingLastPathComponent())
      }
      return
    }
    let link = url.appendingPathComponent("db.sqlite3")
    let file = BundleLayout.resolved(link)
    database = file.path
    let folders = file == link ? [url] : [url, file.deletingLastPathComponent()]
    blobFolders = folders.flatMap { BundleLayout.folders(["Attachments", "attachments"], in: $0) }
    guard !FileManager.default.fileExists(atPath: database) else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw CouchbaseLiteFileError(.unreadable, "\(path): the folder cannot be read (\(error.localizedDescription))")
    }
    if names.contains(where: { $0.hasPrefix("db.forest") || $0.hasSuffix(".viewindex") }) {
      throw CouchbaseLiteFileError(
        .unsupported,
        "\(path): the database uses ForestDB storage, which cannot be read; convert it to SQLite storage with "
          + "Couchbase Lite 1.x first")
    }
    throw CouchbaseLiteFileError(
      .notCouchbaseLite, "\(path): the folder contains no db.sqlite3, so it is not a Couchbase Lite database")
  }

  private static func folders(_ names: [String], in folder: URL) -> [String] {
    names.map { folder.appendingPathComponent($0).path }
  }

  /// Returns the URL without symbolic links; the URL itself if it does not exist.
  private static func resolved(_ url: URL) -> URL {
    guard let path = realpath(url.path, nil) else { return url }
    defer { free(path) }
    return URL(fileURLWithPath: String(cString: path))
  }

  /// Throws if the file does not start with a SQLite header, for example because it is encrypted.
  func checkHeader() throws {
    guard let file = FileHandle(forReadingAtPath: database) else {
      throw CouchbaseLiteFileError(.unreadable, "\(database): cannot be read (\(String(cString: strerror(errno))))")
    }
    defer { try? file.close() }
    let header: Data
    do {
      header = try file.read(upToCount: 100) ?? Data()
    } catch {
      throw CouchbaseLiteFileError(.unreadable, "\(database): cannot be read (\(error.localizedDescription))")
    }
    guard header.count == 100 else {
      throw CouchbaseLiteFileError(
        .damaged, "\(database): the file has only \(header.count) bytes, so it is damaged; restore a backup")
    }
    guard header.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
      throw CouchbaseLiteFileError(
        .encrypted,
        "\(database): encrypted, or damaged at its beginning; remove the encryption with Couchbase Lite first")
    }
  }
}
