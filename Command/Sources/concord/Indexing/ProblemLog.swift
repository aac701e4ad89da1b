import CorpusReader

/// Reports and counts the problems of a run.
///
/// Errors are reported immediately. Files that are skipped, or read as text, are common in a folder, so they are
/// counted by kind and reported at the end; verbose output lists each file. If files that the user named are read as
/// text, the first of them are listed, because the user expected records.
final class ProblemLog {
  /// The number of requested files and records that could not be read.
  private(set) var errorCount = 0
  /// The number of files and records that were skipped because they are binary, too large or in an unknown character
  /// set.
  private(set) var skipCount = 0
  private let messages: Messages
  private let namedFiles: Set<String>
  /// Whether an option applies only to records, so that a named file without records is an error.
  private let requiresRecords: Bool
  private var listedCount = 0
  private var skipped: [String: Int] = [:]
  private var otherFormatCount = 0
  private var frontMatterCount = 0
  private var memberCount = 0

  /// The maximum number of named files listed; `*.json` may name thousands.
  private static let maximumListedCount = 10

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - namedFiles: the absolute paths of files that the user named directly rather than by folder.
  ///   - requiresRecords: whether a named file that is read as text is an error.
  init(_ messages: Messages, namedFiles: Set<String> = [], requiresRecords: Bool = false) {
    self.messages = messages
    self.namedFiles = namedFiles
    self.requiresRecords = requiresRecords
  }

  /// Reports or counts a problem.
  ///
  /// - Parameter format: the format that the file was expected to have, for advice.
  func add(_ problem: CorpusProblem, expected format: CorpusFormat? = nil) {
    if problem.isError {
      errorCount += 1
      let result = problem.kind == .invalidRecord ? "; the record is not indexed" : ""
      return messages.error(problem.description + result)
    }
    if let kind = problem.skippedKind {
      skipCount += 1
      // A skipped record in a file is not a skipped file.
      guard problem.line == nil else { return messages.warning(problem.description) }
      skipped[kind, default: 0] += 1
    } else if problem.kind == .otherFormat {
      let isNamed = namedFiles.contains(FilePath.absolute(problem.path))
      if isNamed, requiresRecords {
        errorCount += 1
        return messages.error(problem.description + ProblemLog.advice(format))
      }
      if isNamed, listedCount < ProblemLog.maximumListedCount {
        listedCount += 1
        return messages.warning(problem.description + ProblemLog.advice(format))
      }
      otherFormatCount += 1
    } else if problem.kind == .skippedMember {
      memberCount += 1
    } else {
      frontMatterCount += 1
    }
    messages.detail(problem.description)
  }

  /// Lists an unchanged file that an earlier run has reported. It is reported again if the user named it and it has no
  /// documents, or no records although the options require them.
  func addUnchanged(_ path: String, _ outcome: SourceSettings.Outcome, expected format: CorpusFormat) {
    let isNamed = namedFiles.contains(FilePath.absolute(path))
    switch outcome {
    case .skipped(let kind):
      let text = "\(path): skipped, \(kind)"
      guard isNamed, listedCount < ProblemLog.maximumListedCount else { return messages.detail(text) }
      listedCount += 1
      messages.warning(text)
    case .text:
      let text = "\(path): does not parse as its format, indexed as text"
      guard isNamed, requiresRecords else { return messages.detail(text) }
      errorCount += 1
      messages.error(text + ProblemLog.advice(format))
    case .frontMatter: messages.detail("\(path): front matter cannot be read, indexed as text")
    }
  }

  private static func advice(_ format: CorpusFormat?) -> String {
    format.map { "; --format \($0.rawValue) reads its valid records" } ?? ""
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
    if memberCount > 0 {
      messages.warning("skipped \(Quantity.count(memberCount, "file")) inside other files\(advice)")
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
    case .missing, .unreadable, .incomplete, .invalidRecord, .frontMatter, .otherFormat, .skippedMember: return nil
    case .notExtracted(let kind): return kind
    case .binary(let format): return format ?? "binary"
    }
  }
}
