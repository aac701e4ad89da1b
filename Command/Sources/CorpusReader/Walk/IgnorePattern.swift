/// One line of an ignore file, or one glob of the options.
///
/// The rules are those of <https://git-scm.com/docs/gitignore>.
struct IgnorePattern: Sendable, Hashable {
  /// Whether what it matches is kept rather than left out: a line that begins with `!`.
  let isNegated: Bool
  /// Whether it matches directories only: a line that ends with `/`.
  let isForDirectories: Bool
  /// Whether it has no slash and is matched against names rather than paths.
  let isForNames: Bool
  private let glob: [UInt8]
  /// How many bytes at its start have no meaning of their own: compared as they are, before any matching.
  private let literalCount: Int
  /// Whether it is a star and then bytes without a meaning of their own, such as `*.o`.
  private let isSuffix: Bool

  /// Reads a glob; nil for one that cannot match anything, such as `/`.
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

  /// Reads a line of an ignore file, without its line feed; nil for an empty line or a comment.
  init?(line: some BidirectionalCollection<UInt8>) {
    var bytes = Array(line)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
    // Spaces at the end do not count, unless a backslash stands before them.
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

  /// Whether this pattern matches a file or directory, by its path from the directory that the pattern belongs to,
  /// without a slash at the start. Its name begins at `nameStart`.
  func matches(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool {
    if isForDirectories, !isDirectory { return false }
    let text = isForNames ? UnsafeRawBufferPointer(rebasing: path[nameStart...]) : path
    return glob.withUnsafeBytes { glob in
      if isForNames, isSuffix {
        let suffix = glob[1...]
        return text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
      }
      // As git does, what has no wildcards is compared first and matching starts behind it.
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
