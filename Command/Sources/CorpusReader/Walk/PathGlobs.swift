/// Globs that select paths. The last glob that matches decides; a glob that begins with `!` excludes.
///
/// ```swift
/// let globs = PathGlobs(["*.md", "!drafts/"])
/// globs.verdict(on: "docs/a.md")     // true
/// globs.verdict(on: "drafts/a.md")   // false
/// ```
///
/// The rules are those of <https://git-scm.com/docs/gitignore>: a glob without a slash is matched against names, other
/// globs against the path from its beginning, and a glob that ends with a slash only against folders. A glob that
/// excludes a folder excludes everything in it.
public struct PathGlobs: Sendable {
  private let patterns: [IgnorePattern]
  /// Whether a path must match to be selected.
  private let requiresMatch: Bool

  /// Parses globs. Globs that cannot match anything, such as `/`, are skipped.
  public init(_ globs: [String]) {
    patterns = globs.compactMap { IgnorePattern(glob: $0.utf8) }
    requiresMatch = patterns.contains { !$0.isNegated }
  }

  /// Returns whether the path of a file is selected; nil if no glob matches.
  public func verdict(on path: String) -> Bool? {
    guard !patterns.isEmpty else { return nil }
    var path = path
    return path.withUTF8 { bytes in
      // An absolute path is matched from the root of the file system.
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
