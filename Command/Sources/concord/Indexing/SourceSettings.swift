import CorpusReader

/// How a file was read, as the database keeps it with the file: `2 jsonl`, `2 csv id=sku`, `2 json:text` for a file that does not
/// parse as JSON and was read as text, `2 text:skipped=PNG`.
struct SourceSettings {
  /// What reading the file told that its name does not.
  enum Outcome: Hashable {
    /// A file of records was read as one document.
    case text
    /// Front matter was read as text.
    case frontMatter
    /// The file was skipped, for what it is.
    case skipped(String)
  }

  /// Goes up when the reader makes other documents of the same file.
  private static let version = "2"

  /// The format that the name stands for, or the user.
  let format: CorpusFormat
  /// The property that holds the ids of records.
  let idField: String?
  let outcome: Outcome?

  init(_ file: SourceFile, _ options: CorpusOptions, outcome: Outcome? = nil) {
    format = file.nominalFormat
    idField = format.holdsRecords ? options.idField : nil
    self.outcome = outcome
  }

  /// Reads ``text``; nil for that of another version.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == SourceSettings.version else { return nil }
    let words = parts[1].split(separator: ":", maxSplits: 1)
    guard let format = words.first.flatMap({ CorpusFormat(rawValue: String($0)) }) else { return nil }
    self.format = format
    outcome = words.count == 2 ? Outcome(text: words[1]) : nil
    idField = parts.count == 3 && parts[2].hasPrefix("id=") ? String(parts[2].dropFirst(3)) : nil
  }

  /// The settings as text.
  var text: String {
    "\(SourceSettings.version) \(format.rawValue)" + (outcome.map { ":\($0.text)" } ?? "")
      + (idField.map { " id=\($0)" } ?? "")
  }

  /// Whether the file was read as records, each a document.
  var isOfRecords: Bool { format.holdsRecords && outcome == nil }

  /// What the file holds when it is read so.
  var kinds: CorpusKinds { outcome == .text ? .files : CorpusKinds(format) }
}

extension SourceSettings.Outcome {
  fileprivate init?(text: Substring) {
    switch text {
    case "text": self = .text
    case "frontmatter": self = .frontMatter
    default:
      guard text.hasPrefix("skipped=") else { return nil }
      self = .skipped(String(text.dropFirst("skipped=".count)).replacing("_", with: " "))
    }
  }

  fileprivate var text: String {
    switch self {
    case .text: "text"
    case .frontMatter: "frontmatter"
    case .skipped(let kind): "skipped=" + kind.replacing(" ", with: "_")
    }
  }
}
