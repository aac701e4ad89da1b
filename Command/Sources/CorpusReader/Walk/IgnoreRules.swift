/// The ignore files that apply in a directory: its own and those of its parent directories.
///
/// `.gitignore` files apply from the root of the repository downwards, or without a repository from the directory where
/// the walk begins. A nested repository starts with no rules. `.ignore` files have the same syntax and take precedence
/// over all `.gitignore` files. Without a repository, a `.gitignore` pattern that excludes everything, such as the `/*`
/// of an unpacked source package, is skipped because an empty corpus is useless. `.git/info/exclude` acts as a
/// `.gitignore` in the root of the repository with the lowest precedence. The user's own excludes file
/// (`core.excludesFile`) is not read, so that a corpus has the same documents for every user.
struct IgnoreRules: Sendable {
  private var gitFiles: [IgnoreFile] = []
  private var ignoreFiles: [IgnoreFile] = []
  private var isInRepository = false

  /// Creates the rules that apply above a directory where a walk begins.
  ///
  /// - Parameter root: the directory's absolute path, without symbolic links.
  init(above root: String) {
    var directories: [String] = []
    var current = root
    while !FileSystem.exists(current + "/.git") {
      guard let slash = current.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
      current = String(current[..<slash])
      directories.append(current)
    }
    for directory in directories.reversed() {
      enter(
        directory, isRepository: directory == current, hasGitIgnore: true, hasIgnore: true)
    }
  }

  /// Adds the rules of a subdirectory.
  ///
  /// - Parameters:
  ///   - directory: its absolute path.
  ///   - isRepository: whether it contains `.git`.
  ///   - hasGitIgnore: whether it contains `.gitignore`.
  ///   - hasIgnore: whether it contains `.ignore`.
  mutating func enter(_ directory: String, isRepository: Bool, hasGitIgnore: Bool, hasIgnore: Bool) {
    if isRepository {
      gitFiles = []
      isInRepository = true
      add(directory + "/.git/info/exclude", in: directory, to: \.gitFiles)
    }
    if hasGitIgnore {
      add(directory + "/.gitignore", in: directory, to: \.gitFiles, skippingCatchAll: !isInRepository)
    }
    if hasIgnore { add(directory + "/.ignore", in: directory, to: \.ignoreFiles) }
  }

  /// Returns whether a path is excluded. Checks only the last component because a walk does not enter excluded
  /// directories.
  func ignores(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool {
    for file in ignoreFiles.reversed() {
      if let verdict = file.excludes(path, nameStart: nameStart, isDirectory: isDirectory) { return verdict }
    }
    for file in gitFiles.reversed() {
      if let verdict = file.excludes(path, nameStart: nameStart, isDirectory: isDirectory) { return verdict }
    }
    return false
  }

  private mutating func add(
    _ path: String, in directory: String, to files: WritableKeyPath<IgnoreRules, [IgnoreFile]>,
    skippingCatchAll: Bool = false
  ) {
    // As in git, an ignore file that is missing or unreadable has no rules.
    guard let text = FileSystem.contents(path, limit: 8 << 20),
      let file = IgnoreFile(
        text, directoryLength: directory.utf8.count + 1, skippingCatchAll: skippingCatchAll)
    else { return }
    self[keyPath: files].append(file)
  }
}
