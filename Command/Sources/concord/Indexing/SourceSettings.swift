import CorpusReader
import DocumentFormats

/// The way a file was read, as stored in the database: `7 jsonl`, `7 csv id=sku`, `7 json:text` for a file that does
/// not parse as JSON and was read as text, `7 text:skipped=PNG`, `7 text lang=de` for a language from a rule, or
/// `7 document:skipped=encrypted by=2/poppler-22.12.0/archive-3.6.2/xml-2.9.14` for a document that is read again if
/// the version of a library changes. The number at the start is the version of the reader.
struct SourceSettings {
  /// A fact about a file that only reading it reveals.
  enum Outcome: Hashable {
    /// A file of records was read as one document.
    case text
    /// Front matter was read as text.
    case frontMatter
    /// The file was skipped because of its kind.
    case skipped(String)
  }

  /// Incremented when the reader creates different documents from the same file.
  private static let version = "7"

  /// The format that the name indicates, or the one given by the user.
  let format: CorpusFormat
  /// The property that contains the ids of records.
  let idField: String?
  let outcome: Outcome?
  /// The language that a rule gives, or `auto:` and the version of the library that detects it.
  let language: String?
  /// The versions of the libraries that extracted a document in a binary format, or a checksum of the user's command.
  let extractor: String?

  init(_ file: SourceFile, _ options: CorpusOptions, outcome: Outcome? = nil) {
    format = file.nominalFormat
    idField = format.holdsRecords && !format.isMail ? options.idField : nil
    self.outcome = outcome
    let isDetected = options.detectsLanguage && (!format.holdsRecords || format.isMail)
    language = file.language ?? (isDetected ? SourceSettings.detected : nil)
    // Messages have attachments.
    let isExtracted = format == .document || format.isMail
    extractor = file.preprocessorFingerprint ?? (isExtracted ? FormatLibraries.fingerprint(forName: file.name) : nil)
  }

  /// Parses ``text``; nil for text of another version.
  init?(_ text: String) {
    var parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == SourceSettings.version else { return nil }
    let prefix = "lang="
    if parts.count == 3, parts[2].hasPrefix(prefix) {
      let rest = parts.removeLast().dropFirst(prefix.count).split(separator: " ", maxSplits: 1)
      language = rest.first.map(String.init)
      parts += rest.dropFirst()
    } else {
      language = nil
    }
    let words = parts[1].split(separator: ":", maxSplits: 1)
    guard let format = words.first.flatMap({ CorpusFormat(rawValue: String($0)) }) else { return nil }
    self.format = format
    outcome = words.count == 2 ? Outcome(text: words[1]) : nil
    idField = parts.count == 3 && parts[2].hasPrefix("id=") ? String(parts[2].dropFirst(3)) : nil
    extractor = parts.count == 3 && parts[2].hasPrefix("by=") ? String(parts[2].dropFirst(3)) : nil
  }

  /// The settings as text.
  var text: String {
    "\(SourceSettings.version) \(format.rawValue)" + (outcome.map { ":\($0.text)" } ?? "")
      + (language.map { " lang=\($0)" } ?? "")
      + (idField.map { " id=\($0)" } ?? "") + (extractor.map { " by=\($0)" } ?? "")
  }

  private static let automatic = "auto:"
  private static let detected =
    automatic + (LanguageDetector.shared?.version.filter { !$0.isWhitespace } ?? "none")

  /// Whether the language is detected.
  var detectsLanguage: Bool { language?.hasPrefix(SourceSettings.automatic) == true }

  /// The language that a rule gives.
  var givenLanguage: String? { detectsLanguage ? nil : language }

  /// Whether the text was produced by the user's command. The command is not stored, so that opening a database never
  /// runs commands.
  var isPreprocessed: Bool { extractor?.hasPrefix("pre:") == true }

  /// Whether the file was read as records that each become a document.
  var isOfRecords: Bool { format.holdsRecords && outcome == nil }

  /// The kinds of documents in the file.
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
