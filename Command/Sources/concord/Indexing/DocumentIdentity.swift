/// Derives ids from paths that are not valid ids: an id has at most 240 bytes and does not begin with an underscore.
enum DocumentIdentity {
  static let maximumLength = 240

  /// Returns the prefix of the ids derived from this path: `./_posts` for `_posts`. Also converts an id as the user
  /// typed it.
  static func id(ofPath path: String) -> String {
    path.utf8.first == UInt8(ascii: "_") ? "./" + path : path
  }

  /// Returns the ids that a hit may have, as the user typed it: `notes.md:12`, then `notes.md`. A search prints the
  /// line of the match after the id.
  static func ids(ofHit hit: String) -> [String] {
    let id = self.id(ofPath: hit)
    guard let colon = id.lastIndex(of: ":"), colon > id.startIndex else { return [id] }
    let line = id[colon...].utf8.dropFirst()
    guard !line.isEmpty, line.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return [id] }
    return [id, String(id[..<colon])]
  }

  /// Returns the path that an id is derived from: `_posts/a.md` for `./_posts/a.md`.
  static func path(ofID id: String) -> String { id.hasPrefix("./_") ? String(id.dropFirst(2)) : id }

  /// Returns the id of a document from its path, changed as little as possible.
  ///
  /// `_posts/a.md` becomes `./_posts/a.md`, which names the same file. In a path that is too long, a checksum replaces
  /// the beginning.
  static func id(_ path: String) -> String {
    let id = self.id(ofPath: path)
    guard id.utf8.count > maximumLength else { return id }
    // FNV-1a is the same in every run, unlike the hashes of the standard library.
    let checksum = path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let prefix = String(checksum, radix: 16) + "…/"
    var tail = Substring(path)
    while prefix.utf8.count + tail.utf8.count > maximumLength { tail.removeFirst() }
    return prefix + tail
  }
}
