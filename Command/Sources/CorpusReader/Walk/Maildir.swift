import Foundation

/// Mail folders in the Maildir format (<https://cr.yp.to/proto/maildir.html>): messages are files in the folders `cur`
/// and `new`, next to a folder `tmp`.
enum Maildir {
  /// Returns whether a file is a message of a Maildir. Only files in folders with these names are examined further.
  static func contains(_ path: String) -> Bool {
    guard path.contains("/cur/") || path.contains("/new/") else { return false }
    let parts = path.split(separator: "/")
    guard parts.count > 2, let folder = parts.dropLast().last, folder == "cur" || folder == "new" else { return false }
    let parent = "/" + parts.dropLast(2).joined(separator: "/")
    return (try? FileSystem.status("\(parent)/tmp"))?.isDirectory == true
  }
}
