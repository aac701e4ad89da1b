/// Globs that choose paths, the last one that matches deciding: one that begins with `!` leaves out.
///
/// ```swift
/// let globs = PathGlobs(["*.md", "!drafts/"])
/// globs.verdict(on: "docs/a.md")     // true
/// globs.verdict(on: "drafts/a.md")   // false
/// ```
///
/// The rules are those of <https://git-scm.com/docs/gitignore>: a glob without a slash is for names, another for the path from
/// its beginning, one that ends with a slash for folders. What leaves out a folder leaves out what is in it.
public struct PathGlobs: Sendable {
  private let patterns: [IgnorePattern]
  /// Whether a path must match to be chosen.
  private let requiresMatch: Bool

  /// Reads globs. What cannot match anything, such as `/`, is passed over.
  public init(_ globs: [String]) {
    patterns = globs.compactMap { IgnorePattern(glob: $0.utf8) }
    requiresMatch = patterns.contains { !$0.isNegated }
  }

  /// Whether a file's path is chosen; nil where the globs say nothing of it.
  public func verdict(on path: String) -> Bool? {
    guard !patterns.isEmpty else { return nil }
    var path = path
    return path.withUTF8 { bytes in
      // A path from the root of the file system is matched from there.
      let whole = UnsafeRawBufferPointer(bytes)
      let text = UnsafeRawBufferPointer(rebasing: whole[(whole.first == UInt8(ascii: "/") ? 1 : 0)...])
      var nameStart = 0
      for (index, byte) in text.enumerated() where byte == UInt8(ascii: "/") {
        let folder = UnsafeRawBufferPointer(rebasing: text[..<index])
        if lastMatch(folder, nameStart, isDirectory: true)?.isNegated == true { return false }
        nameStart = index + 1
      }
      return lastMatch(text, nameStart, isDirectory: false).map { !$0.isNegated } ?? (requiresMatch ? false : nil)
    }
  }

  private func lastMatch(_ path: UnsafeRawBufferPointer, _ nameStart: Int, isDirectory: Bool) -> IgnorePattern? {
    patterns.last { $0.matches(path, nameStart: nameStart, isDirectory: isDirectory) }
  }
}
