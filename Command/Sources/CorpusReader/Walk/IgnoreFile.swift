/// The patterns of one `.gitignore` or `.ignore` file.
struct IgnoreFile: Sendable {
  /// The number of bytes of an absolute path up to the file's directory, including the slash after it.
  let directoryLength: Int
  private let patterns: [IgnorePattern]

  /// Parses the text of an ignore file; nil if it contains no pattern.
  ///
  /// - Parameters:
  ///   - text: the lines.
  ///   - directoryLength: see the property.
  ///   - skippingCatchAll: whether patterns that exclude everything in the directory are skipped.
  init?(_ text: some Collection<UInt8>, directoryLength: Int, skippingCatchAll: Bool) {
    var text = text[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let lines = Array(text).split(separator: UInt8(ascii: "\n"))
    patterns = lines.filter { !skippingCatchAll || !IgnoreFile.isCatchAll($0) }.compactMap { IgnorePattern(line: $0) }
    if patterns.isEmpty { return nil }
    self.directoryLength = directoryLength
  }

  /// Returns whether the file excludes a path. The last pattern that matches decides.
  ///
  /// - Parameters:
  ///   - path: the absolute path.
  ///   - nameStart: the offset of the name in the path.
  ///   - isDirectory: whether it is a directory.
  /// - Returns: true to exclude the path, false to keep it, nil if no pattern matches.
  func excludes(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool? {
    let relative = UnsafeRawBufferPointer(rebasing: path[directoryLength...])
    for pattern in patterns.reversed()
    where pattern.matches(relative, nameStart: nameStart - directoryLength, isDirectory: isDirectory) {
      return !pattern.isNegated
    }
    return nil
  }

  private static func isCatchAll(_ line: ArraySlice<UInt8>) -> Bool {
    let pattern = String(decoding: line, as: UTF8.self).trimmingPrefix("/").drop { $0 == "*" || $0 == "/" }
    return line.contains(UInt8(ascii: "*")) && pattern.allSatisfy { $0 == " " || $0 == "\r" }
  }
}
