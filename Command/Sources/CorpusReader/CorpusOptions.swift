/// How a corpus is read: which files, in which format, up to which size.
///
/// ```swift
/// var options = CorpusOptions()
/// options.include = ["*.md", "docs/**"]
/// options.exclude = ["node_modules"]
/// ```
///
/// Globs are written as in a `.gitignore`: one without a slash is matched against the name of a file or
/// directory, one with a slash against its path as shown or its path below the root it was found in. A directory
/// that is included includes all below it, one that is excluded is not entered.
public struct CorpusOptions: Sendable, Hashable {
  /// Reads only the files that one of these globs matches; all files when empty. A glob that begins with `!`
  /// excludes, as with ripgrep's `-g`.
  public var include: [String] = []
  /// Leaves out what these globs match, also from ``include`` and from the paths given. The last glob that
  /// matches decides, so that `["*.log", "!keep.log"]` leaves out all logs but one.
  public var exclude: [String] = []
  /// Reads files and enters directories whose name begins with a dot. `.git` is never entered.
  public var includesHidden = false
  /// Reads what `.gitignore` and `.ignore` files leave out.
  public var ignoresIgnoreFiles = false
  /// Skips files with more bytes than this.
  public var maximumFileSize: Int64?
  /// The format of all files, whatever their names are.
  public var format: CorpusFormat?
  /// The JSON, CSV and TSV files in folders that hold records, as globs; one that begins with `!` excludes. Those that no glob
  /// names are documents of text, unless they are among the paths that are read.
  public var records: [String] = []
  /// The property that holds a record's id, in place of `_id` and `id`.
  public var idField: String?
  /// Skips documents and records with more bytes than this; memory use stays in proportion to it.
  public var maximumDocumentSize = CorpusOptions.standardMaximumDocumentSize

  /// The most bytes that a compressed file of records may have when it is decompressed, unless ``maximumFileSize`` is lower.
  public static let maximumDecompressedSize: Int64 = 4 << 30
  /// The standard limit for one document: 50 MiB.
  public static let standardMaximumDocumentSize = 50 << 20

  /// Makes the standard options: all formats, no hidden files, ignore files honoured.
  public init() {}
}
