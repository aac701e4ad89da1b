public import DocumentFormats

/// Options for reading a corpus: the files to read, their formats, and size limits.
///
/// ```swift
/// var options = CorpusOptions()
/// options.include = ["*.md", "docs/**"]
/// options.exclude = ["node_modules"]
/// ```
///
/// Globs follow the syntax of `.gitignore`. A glob without a slash is matched against the name of a file or directory,
/// a glob with a slash against its displayed path or its path relative to the root of the walk. Including a directory
/// includes everything below it; an excluded directory is not entered.
public struct CorpusOptions: Sendable, Hashable {
  /// Reads only the files that match one of these globs; all files if empty. A glob that begins with `!` excludes, as
  /// with ripgrep's `-g`.
  public var include: [String] = []
  /// Excludes the files that match these globs, even if ``include`` or a given path names them. The last glob that
  /// matches decides, so `["*.log", "!keep.log"]` excludes all logs except one.
  public var exclude: [String] = []
  /// Reads files and enters directories whose name begins with a dot. `.git` is never entered.
  public var includesHidden = false
  /// Reads files that `.gitignore` and `.ignore` exclude.
  public var ignoresIgnoreFiles = false
  /// Skips files larger than this number of bytes.
  public var maximumFileSize: Int64?
  /// The format of all files, regardless of their names.
  public var format: CorpusFormat?
  /// Globs for the JSON, CSV and TSV files to read as records when they are found in a folder; a glob that begins with
  /// `!` excludes. Other JSON, CSV and TSV files become text documents, unless they are given as a path.
  public var records: [String] = []
  /// Programs that convert the files that match their globs to text. The last one that matches is used.
  public var preprocessors: [Preprocessor] = []
  /// The formats of the files that match globs. The last rule that matches is used.
  public var formatRules: [GlobRule<CorpusFormat>] = []
  /// The languages of the files that match globs. The last rule that matches is used.
  public var languageRules: [GlobRule<String>] = []
  /// Stores the detected language of documents that do not declare one.
  public var detectsLanguage = false
  /// The optional formats that are read.
  public var optionalFormats: Set<ExtractedFormat> = []
  /// Limits a walk to some folders; nil for all.
  public var scope: WalkScope?
  /// The property that contains a record's id, instead of `_id` and `id`.
  public var idField: String?
  /// Skips documents and records larger than this number of bytes; memory use is proportional to it.
  public var maximumDocumentSize = CorpusOptions.standardMaximumDocumentSize

  /// The maximum decompressed size in bytes of a compressed file of records, unless ``maximumFileSize`` is lower.
  public static let maximumDecompressedSize: Int64 = 4 << 30
  /// The default size limit for one document: 50 MiB.
  public static let standardMaximumDocumentSize = 50 << 20

  /// Creates the default options: all formats, no hidden files, ignore files respected.
  public init() {}
}

/// A setting for the files that match a glob.
public struct GlobRule<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The globs, with the syntax of ``PathGlobs``.
  public var globs: [String]
  public var value: Value

  /// Creates a rule.
  public init(globs: [String], value: Value) {
    self.globs = globs
    self.value = value
  }
}
