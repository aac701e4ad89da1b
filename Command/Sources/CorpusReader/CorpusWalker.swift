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
/// Paths are walked in the given order, and the files below each path in the byte order of their paths. A file below
/// two of the paths is visited once. Symbolic links are followed only if they are given as a path.
///
/// The walk skips names that begin with a dot, unless the options include them; `.git`; files that `.gitignore` and
/// `.ignore` exclude; and files that the options exclude. A given path is read even if it is hidden or ignored, but not
/// if the options exclude it.
public struct CorpusWalker: Sendable {
  private let paths: [String]
  private let options: CorpusOptions

  /// Prepares a walk without accessing any file.
  public init(paths: [String], options: CorpusOptions = CorpusOptions()) {
    self.paths = paths
    self.options = options
  }

  /// Calls `body` with each file of the corpus, and `problem` for each file that cannot be read.
  ///
  /// - Parameters:
  ///   - body: called in the order described above. An error that it throws ends the walk.
  ///   - folder: called with the absolute path of each folder before its entries are read, so that a watch that it adds
  ///     misses no change.
  ///   - problem: called for missing paths, directories and names that cannot be read, and files above the
  ///     options' size limit.
  /// - Throws: only errors that `body` throws.
  /// - Complexity: one system call per file and three per directory; memory for the entries of the directories along
  ///   one path.
  public func walk(
    _ body: (SourceFile) throws -> Void, folder: ((String) -> Void)? = nil,
    problem: (CorpusProblem) -> Void = { _ in }
  ) throws {
    // The walk stores the closure only during this call.
    try withoutActuallyEscaping(folder ?? { _ in }) { folder in
      var walk = Walk(roots: paths, options: options, folder: folder)
      for path in paths {
        try walk.visit(root: path, body: body, problem: problem)
      }
    }
  }
}
