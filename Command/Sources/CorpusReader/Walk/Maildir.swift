import Foundation

/// Mail folders in the Maildir format (<https://cr.yp.to/proto/maildir.html>): messages are files in the folders `cur`
/// and `new`, next to a folder `tmp`.
enum Maildir {
  /// Returns whether a directory is a mail folder.
  static func isFolder(_ directory: OpenDirectory) -> Bool {
    let names = directory.entries.lazy.filter { $0.kind == .directory && $0.count == 3 }.map { directory.name($0) }
    return hasFolders { name in names.contains { $0.elementsEqual(name.utf8) } }
  }

  private static func isFolder(at path: String) -> Bool {
    hasFolders { (try? FileSystem.status("\(path)/\($0)"))?.isDirectory == true }
  }

  /// Returns whether a directory contains the three folders of a mail folder. All are required, because many
  /// directories contain a folder `new` or `tmp`.
  ///
  /// - Parameter contains: returns whether the directory contains a folder.
  private static func hasFolders(_ contains: (String) -> Bool) -> Bool {
    ["cur", "new", "tmp"].allSatisfy { contains($0) }
  }

  /// Returns whether an entry of a mail folder is the folder of messages that are being delivered.
  static func isUnfinished(_ entry: OpenDirectory.Entry, of directory: OpenDirectory) -> Bool {
    entry.kind == .directory && directory.name(entry).elementsEqual("tmp".utf8)
  }

  /// Returns whether an entry of a mail folder is another mail folder. In Maildir++, the names of such subfolders begin
  /// with a dot.
  static func isSubfolder(_ entry: OpenDirectory.Entry, of directory: OpenDirectory, at path: [UInt8]) -> Bool {
    guard entry.kind == .directory, directory.name(entry).first == UInt8(ascii: ".") else { return false }
    return isFolder(at: String(decoding: path, as: UTF8.self))
  }

  /// Returns whether a file is a message of a Maildir. A file with a known extension, such as `notes.txt`, is not. Only
  /// files in folders with these names are examined further.
  static func contains(_ path: String) -> Bool {
    guard path.contains("/cur/") || path.contains("/new/") else { return false }
    let parts = path.split(separator: "/")
    guard parts.count > 2, let name = parts.last, let folder = parts.dropLast().last,
      folder == "cur" || folder == "new", !FormatNames.isKnown(String(name))
    else { return false }
    return isFolder(at: "/" + parts.dropLast(2).joined(separator: "/"))
  }
}
