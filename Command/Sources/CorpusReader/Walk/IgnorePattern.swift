/// One line of an ignore file, or one glob of the options.
///
/// The rules are those of <https://git-scm.com/docs/gitignore>.
struct IgnorePattern: Sendable, Hashable {
  /// Whether matching files are kept rather than excluded because the line begins with `!`.
  let isNegated: Bool
  /// Whether only directories match because the line ends with `/`.
  let isForDirectories: Bool
  /// Whether the pattern has no slash and is matched against names rather than paths.
  let isForNames: Bool
  private let glob: [UInt8]
  /// The length in bytes of the literal prefix, which is compared before matching.
  private let literalCount: Int
  /// Whether the pattern is a star followed by literal bytes, such as `*.o`.
  private let isSuffix: Bool

  /// Parses a glob; nil for a glob that cannot match anything, such as `/`.
  init?(glob text: some Collection<UInt8>) {
    var bytes = Array(text)
    isNegated = bytes.first == UInt8(ascii: "!")
    if isNegated { bytes.removeFirst() }
    isForDirectories = bytes.last == UInt8(ascii: "/")
    if isForDirectories { bytes.removeLast() }
    isForNames = !bytes.contains(UInt8(ascii: "/"))
    if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
    guard !bytes.isEmpty else { return nil }
    glob = bytes
    literalCount = bytes.firstIndex(where: GlobMatcher.isSpecial) ?? bytes.count
    isSuffix = bytes.first == UInt8(ascii: "*") && !bytes.dropFirst().contains(where: GlobMatcher.isSpecial)
  }

  /// Parses a line of an ignore file, without its line feed; nil for an empty line or a comment.
  init?(line: some BidirectionalCollection<UInt8>) {
    var bytes = Array(line)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
    // Trailing spaces are ignored unless a backslash precedes them.
    var end = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
        end = min(index + 1, bytes.count)
      } else if bytes[index] != UInt8(ascii: " ") {
        end = index + 1
      }
      index += 1
    }
    self.init(glob: bytes[..<end])
  }

  /// Returns whether this pattern matches a file or directory. The path is relative to the directory of the pattern and
  /// has no leading slash; its name begins at `nameStart`.
  func matches(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool {
    if isForDirectories, !isDirectory { return false }
    let text = isForNames ? UnsafeRawBufferPointer(rebasing: path[nameStart...]) : path
    return glob.withUnsafeBytes { glob in
      if isForNames, isSuffix {
        let suffix = glob[1...]
        return text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
      }
      // As in git, the literal prefix is compared first and matching starts after it.
      guard text.count >= literalCount, text[..<literalCount].elementsEqual(glob[..<literalCount]) else {
        return false
      }
      if literalCount == glob.count { return text.count == glob.count }
      return GlobMatcher.matches(
        UnsafeRawBufferPointer(rebasing: glob[literalCount...]),
        UnsafeRawBufferPointer(rebasing: text[literalCount...]), isPath: !isForNames)
    }
  }
}
