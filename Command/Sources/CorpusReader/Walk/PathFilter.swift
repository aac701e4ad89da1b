/// A filter of paths by include and exclude globs.
struct PathFilter: Sendable {
  private var included: [IgnorePattern] = []
  private var excluded: [IgnorePattern] = []
  /// The patterns from `--include '!GLOB'`, which exclude files.
  private var excludedByInclude: [IgnorePattern] = []

  init(_ options: CorpusOptions) { self.init(include: options.include, exclude: options.exclude) }

  init(include: [String], exclude: [String] = []) {
    for glob in include {
      guard let pattern = IgnorePattern(glob: glob.utf8) else { continue }
      if pattern.isNegated { excludedByInclude.append(pattern) } else { included.append(pattern) }
    }
    excluded = exclude.compactMap { IgnorePattern(glob: $0.utf8) }
  }

  var isEmpty: Bool { included.isEmpty && excluded.isEmpty && excludedByInclude.isEmpty }

  /// Whether files that match no glob are included.
  var includesAll: Bool { included.isEmpty }

  /// Returns whether an include glob matches the file or directory at a displayed path.
  ///
  /// - Parameters:
  ///   - path: the path as it is printed; it begins with the root that the user typed.
  ///   - rootLength: the number of bytes of the root, including its trailing slash.
  ///   - nameStart: the offset of the last path component.
  ///   - isDirectory: whether the path is that of a directory.
  func includes(
    _ path: UnsafeRawBufferPointer, rootLength: Int, nameStart: Int, isDirectory: Bool
  ) -> Bool {
    included.contains {
      $0.matchesShown(path, rootLength: rootLength, nameStart: nameStart, isDirectory: isDirectory)
    }
  }

  /// Returns whether a glob excludes the file or directory. Among exclude globs, the last one that matches decides.
  func excludes(
    _ path: UnsafeRawBufferPointer, rootLength: Int, nameStart: Int, isDirectory: Bool
  ) -> Bool {
    func matches(_ pattern: IgnorePattern) -> Bool {
      pattern.matchesShown(path, rootLength: rootLength, nameStart: nameStart, isDirectory: isDirectory)
    }
    if excludedByInclude.contains(where: matches) { return true }
    return excluded.last(where: matches).map { !$0.isNegated } ?? false
  }

  /// Returns whether the globs select a file, itself or with one of its folders; nil if no glob matches. A glob that
  /// excludes takes precedence.
  ///
  /// - Parameters:
  ///   - path: the path as it is printed.
  ///   - rootLength: the number of bytes of the root, including its trailing slash. The folders above the root are not
  ///     considered.
  ///   - nameStart: the offset of the file's name.
  ///   - isNamed: whether the file itself is the root, so that all its folders are above the root.
  func verdict(
    onFile path: UnsafeRawBufferPointer, rootLength: Int, nameStart: Int, isNamed: Bool = false
  ) -> Bool? {
    var isIncluded = false
    var start = 0
    for end in path.indices where !isNamed && path[end] == UInt8(ascii: "/") {
      defer { start = end + 1 }
      // The path of the file system's root is empty.
      guard end >= rootLength - 1, start < end else { continue }
      // `.` and `..` are not names of folders.
      guard end - start > 2 || path[start..<end].contains(where: { $0 != UInt8(ascii: ".") }) else { continue }
      let folder = UnsafeRawBufferPointer(rebasing: path[..<end])
      if excludes(folder, rootLength: rootLength, nameStart: start, isDirectory: true) { return false }
      isIncluded = isIncluded || includes(folder, rootLength: rootLength, nameStart: start, isDirectory: true)
    }
    if excludes(path, rootLength: rootLength, nameStart: nameStart, isDirectory: false) { return false }
    return isIncluded || includes(path, rootLength: rootLength, nameStart: nameStart, isDirectory: false) ? true : nil
  }
}

extension IgnorePattern {
  /// Matches the displayed path, or the path relative to the root of the walk, so that `docs/**` means the same whether
  /// the user typed `.` or an absolute path.
  fileprivate func matchesShown(
    _ path: UnsafeRawBufferPointer, rootLength: Int, nameStart: Int, isDirectory: Bool
  ) -> Bool {
    if matches(path, nameStart: nameStart, isDirectory: isDirectory) { return true }
    guard !isForNames, rootLength > 0, rootLength <= nameStart else { return false }
    return matches(
      UnsafeRawBufferPointer(rebasing: path[rootLength...]), nameStart: nameStart - rootLength,
      isDirectory: isDirectory)
  }
}
