/// Ids for documents whose path is none: an id has at most 240 bytes and does not begin with an underscore.
enum DocumentIdentity {
  static let maximumLength = 240

  /// What an id begins with that is called after this path, or an id as the user typed it: `./_posts` for `_posts`.
  static func id(ofPath path: String) -> String {
    path.utf8.first == UInt8(ascii: "_") ? "./" + path : path
  }

  /// The path that an id is called after: `_posts/a.md` of `./_posts/a.md`.
  static func path(ofID id: String) -> String { id.hasPrefix("./_") ? String(id.dropFirst(2)) : id }

  /// The id of a document that is called after its path, as near to it as can be.
  ///
  /// `_posts/a.md` becomes `./_posts/a.md`, the same file. A path that is too long loses its beginning to a checksum.
  static func id(_ path: String) -> String {
    let id = self.id(ofPath: path)
    guard id.utf8.count > maximumLength else { return id }
    // FNV-1a: the same at every run, as the standard library's hashes are not.
    let checksum = path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let prefix = String(checksum, radix: 16) + "…/"
    var tail = Substring(path)
    while prefix.utf8.count + tail.utf8.count > maximumLength { tail.removeFirst() }
    return prefix + tail
  }
}
