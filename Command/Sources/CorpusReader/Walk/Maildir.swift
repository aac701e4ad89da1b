import Foundation

/// Mail folders in the Maildir format (<https://cr.yp.to/proto/maildir.html>): messages are files in the folders `cur`
/// and `new`, next to a folder `tmp`.
enum Maildir {
  /// Returns whether a directory is a mail folder.
  static func isFolder(_ directory: OpenDirectory) -> Bool {
    let names = directory.entries.lazy.filter { $0.kind == .directory && $0.count == 3 }.map { directory.name($0) }
    return ["cur", "new", "tmp"].allSatisfy { name in names.contains { $0.elementsEqual(name.utf8) } }
  }

  /// Returns whether an entry of a mail folder is the folder of messages that are being delivered.
  static func isUnfinished(_ entry: OpenDirectory.Entry, of directory: OpenDirectory) -> Bool {
    entry.kind == .directory && directory.name(entry).elementsEqual("tmp".utf8)
  }

  /// Returns whether an entry of a mail folder is another mail folder. In Maildir++, the names of such subfolders begin
  /// with a dot.
  static func isSubfolder(_ entry: OpenDirectory.Entry, of directory: OpenDirectory, at path: [UInt8]) -> Bool {
    guard entry.kind == .directory, directory.name(entry).first == UInt8(ascii: ".") else { return false }
    return (try? FileSystem.status("\(String(decoding: path, as: UTF8.self))/cur"))?.isDirectory == true
  }

  /// Returns whether a file is a message of a Maildir. Only files in folders with these names are examined further.
  static func contains(_ path: String) -> Bool {
    guard path.contains("/cur/") || path.contains("/new/") else { return false }
    let parts = path.split(separator: "/")
    guard parts.count > 2, let folder = parts.dropLast().last, folder == "cur" || folder == "new" else { return false }
    let parent = "/" + parts.dropLast(2).joined(separator: "/")
    return (try? FileSystem.status("\(parent)/tmp"))?.isDirectory == true
  }
}
