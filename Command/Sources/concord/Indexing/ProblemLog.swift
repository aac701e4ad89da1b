import CorpusReader

/// Reports and counts the problems of a run.
///
/// Errors are reported immediately. Files that are skipped, or read as text, are common in a folder, so their kinds are
/// counted and reported at the end; verbose output lists each file. The first files that the user named but that are
/// read as text are listed because the user expected records.
final class ProblemLog {
  /// The number of requested files and records that could not be read.
  private(set) var errorCount = 0
  /// The number of files and records that were skipped: binary, too large, in an unknown character set.
  private(set) var skipCount = 0
  private let messages: Messages
  private let namedFiles: Set<String>
  private var listedCount = 0
  private var skipped: [String: Int] = [:]
  private var otherFormatCount = 0
  private var frontMatterCount = 0

  /// The maximum number of named files listed; `*.json` may name thousands.
  private static let maximumListedCount = 10

  /// Creates a log.
  ///
  /// - Parameter namedFiles: the absolute paths of files that the user named directly rather than by folder.
  init(_ messages: Messages, namedFiles: Set<String> = []) {
    self.messages = messages
    self.namedFiles = namedFiles
  }

  func add(_ problem: CorpusProblem) {
    if problem.isError {
      errorCount += 1
      return messages.error(problem.description)
    }
    if let kind = problem.skippedKind {
      skipCount += 1
      // A skipped record in a file is not a skipped file.
      guard problem.line == nil else { return messages.warning(problem.description) }
      skipped[kind, default: 0] += 1
    } else if problem.kind == .otherFormat {
      if listedCount < ProblemLog.maximumListedCount, namedFiles.contains(FilePath.absolute(problem.path)) {
        listedCount += 1
        return messages.warning(problem.description)
      }
      otherFormatCount += 1
    } else {
      frontMatterCount += 1
    }
    messages.detail(problem.description)
  }

  /// Lists an unchanged file that an earlier run has reported.
  func addUnchanged(_ path: String, _ outcome: SourceSettings.Outcome) {
    switch outcome {
    case .skipped(let kind): messages.detail("\(path): skipped, \(kind)")
    case .text: messages.detail("\(path): does not parse as its format, indexed as text")
    case .frontMatter: messages.detail("\(path): front matter cannot be read, indexed as text")
    }
  }

  /// Counts errors that are reported elsewhere.
  func add(errorCount: Int) { self.errorCount += errorCount }

  /// Reports the counts of problems that were not reported individually.
  func reportCounts() {
    let advice = messages.isVerbose ? "" : "; -v lists them"
    if !skipped.isEmpty {
      let kinds = skipped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\(Quantity.count($0.value)) \($0.key)" }.joined(separator: ", ")
      messages.warning("skipped \(Quantity.count(skipped.values.reduce(0, +), "file")): \(kinds)\(advice)")
    }
    if otherFormatCount > 0 {
      let verbs =
        otherFormatCount == 1 ? "does not parse as its format and is" : "do not parse as their formats and are"
      messages.warning("\(Quantity.count(otherFormatCount, "file")) \(verbs) indexed as text\(advice)")
    }
    if frontMatterCount > 0 {
      messages.warning(
        "front matter of \(Quantity.count(frontMatterCount, "file")) cannot be read and is indexed as text\(advice)")
    }
  }
}

extension CorpusProblem {
  /// A short description of a skipped file or record; nil for other problems.
  var skippedKind: String? {
    switch kind {
    case .tooLarge: return "above the size limit"
    case .notUTF8: return "in an unknown character set"
    case .damaged: return "with damaged compressed data"
    case .missing, .unreadable, .incomplete, .invalidRecord, .frontMatter, .otherFormat: return nil
    case .binary:
      // Takes PNG from "binary file (PNG)".
      guard let open = reason.lastIndex(of: "("), reason.hasSuffix(")") else { return "binary" }
      return String(reason[reason.index(after: open)...].dropLast())
    }
  }
}
