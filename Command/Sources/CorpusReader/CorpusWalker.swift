import Foundation

/// Finds the files of a corpus.
///
/// ```swift
/// let walker = CorpusWalker(paths: ["docs", "README.md"], options: CorpusOptions())
/// try walker.walk { file in
///   print(file.path, file.size)   // docs/a.md 120 …
/// } problem: { problem in
///   print(problem)                // missing.md: No such file or directory
/// }
/// ```
///
/// Paths are walked in the order given, and below each the files come in the byte order of their paths. A file
/// below two of the paths comes once. Symbolic links are followed where they are given as a path and nowhere else.
///
/// Left out are: names that begin with a dot, unless the options say otherwise; `.git`; what `.gitignore` and
/// `.ignore` files say; what the options exclude. A path that was given is read even if it is hidden or ignored,
/// but not if the options exclude it.
public struct CorpusWalker: Sendable {
  private let paths: [String]
  private let options: CorpusOptions

  /// Prepares a walk; no file is touched yet.
  public init(paths: [String], options: CorpusOptions = CorpusOptions()) {
    self.paths = paths
    self.options = options
  }

  /// Calls `body` with each file of the corpus, and `problem` with each that cannot be read.
  ///
  /// - Parameters:
  ///   - body: called in the order described above. What it throws ends the walk.
  ///   - problem: called for missing paths, directories and names that cannot be read, and files above the
  ///     options' size limit.
  /// - Throws: what `body` throws, and nothing else.
  /// - Complexity: one system call a file and three a directory; memory for the names of one path's directories.
  public func walk(
    _ body: (SourceFile) throws -> Void, problem: (CorpusProblem) -> Void = { _ in }
  ) throws {
    var walk = Walk(roots: paths, options: options)
    for path in paths {
      try walk.visit(root: path, body: body, problem: problem)
    }
  }
}
