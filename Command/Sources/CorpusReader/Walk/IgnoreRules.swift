/// The ignore files that hold in a directory: its own, and those of the directories above it.
///
/// `.gitignore` files hold from the root of the repository downwards, and where there is no repository from the
/// directory that the walk began in. A repository inside another one starts anew. `.ignore` files have the same
/// syntax and beat all `.gitignore` files. Where there is no repository, a pattern of a `.gitignore` that leaves out
/// everything, such as the `/*` of an unpacked source package, is passed over: nobody wants an empty corpus.
/// `.git/info/exclude` counts as a `.gitignore` in the root of the
/// repository that all others beat. The user's own excludes file (`core.excludesFile`) is not read, so that a
/// corpus has the same documents for everybody.
struct IgnoreRules: Sendable {
  private var gitFiles: [IgnoreFile] = []
  private var ignoreFiles: [IgnoreFile] = []
  private var isInRepository = false

  /// The rules that hold above a directory that a walk begins in.
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

  /// Adds the rules of a directory below.
  ///
  /// - Parameters:
  ///   - directory: its absolute path.
  ///   - isRepository: whether it holds `.git`.
  ///   - hasGitIgnore: whether it holds `.gitignore`.
  ///   - hasIgnore: whether it holds `.ignore`.
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

  /// Whether a path is to be left out. Only its own name is judged: a walk does not come to what is inside a
  /// directory that was left out.
  func ignores(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool {
    for file in ignoreFiles.reversed() {
      if let verdict = file.verdict(path, nameStart: nameStart, isDirectory: isDirectory) { return verdict }
    }
    for file in gitFiles.reversed() {
      if let verdict = file.verdict(path, nameStart: nameStart, isDirectory: isDirectory) { return verdict }
    }
    return false
  }

  private mutating func add(
    _ path: String, in directory: String, to files: WritableKeyPath<IgnoreRules, [IgnoreFile]>,
    skippingCatchAll: Bool = false
  ) {
    // An ignore file that is missing or that may not be read has no rules, as in git.
    guard let text = FileSystem.contents(path, limit: 8 << 20),
      let file = IgnoreFile(
        text, directoryLength: directory.utf8.count + 1, skippingCatchAll: skippingCatchAll)
    else { return }
    self[keyPath: files].append(file)
  }
}
