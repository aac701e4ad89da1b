import CorpusReader

/// Tells of the problems of a run, and counts them.
final class ProblemLog {
  /// Files and records that were asked for and could not be read.
  private(set) var errorCount = 0
  /// Files and records that were left out on purpose: binary, too large, in an unknown character set.
  private(set) var skipCount = 0
  private let messages: Messages

  init(_ messages: Messages) { self.messages = messages }

  func add(_ problem: CorpusProblem) {
    if problem.isError {
      errorCount += 1
      messages.error(problem.description)
    } else {
      // Front matter that is no YAML leaves nothing out: the document is kept whole.
      if problem.kind != .frontMatter { skipCount += 1 }
      messages.warning(problem.description)
    }
  }
}
