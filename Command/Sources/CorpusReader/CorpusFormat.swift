import DocumentFormats

/// The content of a file: one document, or records that each become a document.
public enum CorpusFormat: String, CaseIterable, Sendable, Hashable {
  /// Plain text, including files of unknown type. One document.
  case text
  /// Source code and configuration. One document.
  case code
  /// Markdown, with or without front matter. One document.
  case markdown
  /// HTML or XHTML. One document.
  case html
  /// One object, or an array of objects.
  case json
  /// One JSON object per line, also known as NDJSON (<https://jsonlines.org>).
  case jsonl
  /// Comma-separated values with a header row (RFC 4180).
  case csv
  /// Tab-separated values with a header row.
  case tsv
  /// Mail messages, each after a `From ` line (RFC 4155).
  case mbox
  /// One mail message (RFC 5322): a `.eml` file, or a file of a Maildir.
  case mail
  /// A Jupyter notebook. One document for each cell.
  case notebook
  /// A manual page in roff (man(7), mdoc(7)). One document for each section.
  case man
  /// A file of GNU Info. One document for each node.
  case info
  /// Subtitles in SubRip or WebVTT. One document for each cue.
  case subtitles
  /// A document in a binary format, or an archive. One document for each page, sheet, slide, chapter or member.
  case document

  /// Whether each record of a file of this format is a document, rather than the whole file.
  public var holdsRecords: Bool {
    switch self {
    case .text, .code, .markdown, .html, .notebook, .man, .info, .subtitles, .document: false
    case .json, .jsonl, .csv, .tsv, .mbox, .mail: true
    }
  }

  /// Whether every file of this format is read as records. JSON and CSV files are often source code or test data, so
  /// they are read as records only if the user requests it.
  public var alwaysHoldsRecords: Bool { self == .jsonl || self == .mbox || self == .mail }

  /// The format for reading a file of this format as a single document.
  var asDocument: CorpusFormat {
    switch self {
    case .json: .code
    case .jsonl, .csv, .tsv, .mbox, .mail: .text
    case .text, .code, .markdown, .html, .notebook, .man, .info, .subtitles, .document: self
    }
  }

  /// Whether a file of this format is read as messages.
  public var isMail: Bool { self == .mbox || self == .mail }

  /// Whether a file of this format is split into sections, each of which becomes a document.
  var hasSections: Bool { self == .notebook || self == .man || self == .info || self == .subtitles }

  /// The format to use for a file whose content turns out not to have the sections of this format.
  var withoutSections: CorpusFormat { self == .notebook ? .code : hasSections ? .text : self }

  /// Determines the format of a file from its name alone; text if the name is unknown. A compressed file has the format
  /// of the name without `.gz`, `.xz`, `.zst` or `.bz2`.
  ///
  /// ```swift
  /// CorpusFormat(fileName: "README.md")   // .markdown
  /// CorpusFormat(fileName: "Makefile")    // .code
  /// CorpusFormat(fileName: "NEWS")        // .text
  /// ```
  public init(fileName: String) {
    self = FormatNames.format(of: CompressedName.inner(of: fileName) ?? fileName)
  }

  /// Returns whether the parts of a file with this name may be named in ids, such as `prices.xlsx:March` and
  /// `ls.1:OPTIONS`.
  public static func hasNamedParts(fileName: String) -> Bool {
    let name = CompressedName.inner(of: fileName) ?? fileName
    switch FormatNames.format(of: name) {
    case .man, .info, .subtitles: return true
    case .document: return ExtractedFormat(name: name).map { $0 == .xlsx || $0 == .ods } ?? false
    default: return false
    }
  }
}
