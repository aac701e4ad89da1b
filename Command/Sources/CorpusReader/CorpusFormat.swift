/// What a file holds: one document, or records that become a document each.
public enum CorpusFormat: String, CaseIterable, Sendable, Hashable {
  /// Plain text, also of a kind that is not known. One document.
  case text
  /// Source code and configuration. One document.
  case code
  /// Markdown, with or without front matter. One document.
  case markdown
  /// HTML or XHTML. One document.
  case html
  /// One object, or an array of objects.
  case json
  /// An object a line, also known as NDJSON (<https://jsonlines.org>).
  case jsonl
  /// Comma-separated values with a header row (RFC 4180).
  case csv
  /// Tab-separated values with a header row.
  case tsv
  /// Mail messages, each behind a `From ` line (RFC 4155).
  case mbox

  /// Whether a file of this format holds records rather than being one document.
  public var holdsRecords: Bool {
    switch self {
    case .text, .code, .markdown, .html: false
    case .json, .jsonl, .csv, .tsv, .mbox: true
    }
  }

  /// Whether a file of this format is one of records wherever it is found. JSON and CSV files are source code and test data as
  /// often as not, so they hold records only where the user says so.
  public var alwaysHoldsRecords: Bool { self == .jsonl || self == .mbox }

  /// The format of a file of this one that is read as a document.
  var asDocument: CorpusFormat {
    switch self {
    case .json: .code
    case .jsonl, .csv, .tsv, .mbox: .text
    case .text, .code, .markdown, .html: self
    }
  }

  /// The format of a file, told by its name alone: text, where nothing else is known. A compressed file has the format of the
  /// name without `.gz`, `.xz`, `.zst` or `.bz2`.
  ///
  /// ```swift
  /// CorpusFormat(fileName: "README.md")   // .markdown
  /// CorpusFormat(fileName: "Makefile")    // .code
  /// CorpusFormat(fileName: "NEWS")        // .text
  /// ```
  public init(fileName: String) {
    self = FormatNames.format(of: CompressedName.inner(of: fileName) ?? fileName)
  }
}

/// The names of compressed files.
enum CompressedName {
  /// The name of the file inside: `notes.md` for `notes.md.gz`; nil for a name that is not a compressed file's.
  static func inner(of fileName: String) -> String? {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    // Without a string of its own: this is asked of every file of a walk.
    let isCompressed = endings.contains { $0.elementsEqual(ending, by: { $0 == $1 | 0x20 || $0 == $1 }) }
    return isCompressed ? String(fileName[..<dot]) : nil
  }

  private static let endings = ["gz", "xz", "zst", "bz2"].map { Array($0.utf8) }
}
