import DocumentFormats

/// A file found by a walk.
public struct SourceFile: Sendable, Hashable {
  /// The path as displayed and stored: relative if the user typed a relative path, without `./`, separated by `/`.
  public let path: String
  /// The absolute path.
  public let absolutePath: String
  /// The size of the file in bytes.
  public let size: Int64
  /// The modification time, in nanoseconds since 1970.
  public let modified: Int64
  /// The format that the file is read as.
  public private(set) var format: CorpusFormat
  /// The format that the name or the options indicate: equal to ``format`` unless the content has a different format.
  public private(set) var nominalFormat: CorpusFormat
  /// The record format that the name indicates, if the file is nevertheless one document.
  public private(set) var recordFormat: CorpusFormat?
  /// The language code from a rule of the options; nil if the file declares its language or the language is detected.
  public let language: String?
  /// Whether the user specified this format, so that an unreadable record is an error. The format of other files is a
  /// guess from their names.
  public private(set) var isFormatCertain: Bool
  /// Whether the walk found a pipe, which can be read only once.
  public let isPipe: Bool
  /// The program that converts the file to text; nil if there is none.
  public private(set) var preprocessor: Preprocessor?

  /// Creates a description of a file. ``CorpusWalker`` creates one for each file that it finds.
  public init(
    path: String, absolutePath: String, size: Int64, modified: Int64, format: CorpusFormat,
    recordFormat: CorpusFormat? = nil, language: String? = nil, isFormatCertain: Bool = true, isPipe: Bool = false
  ) {
    self.language = language
    self.path = path
    self.absolutePath = absolutePath
    self.size = size
    self.modified = modified
    self.format = format
    nominalFormat = format
    self.recordFormat = recordFormat
    self.isFormatCertain = isFormatCertain
    self.isPipe = isPipe
  }

  /// Whether the file holds records, each of which becomes a document.
  public var holdsRecords: Bool { format.holdsRecords }

  /// The last component of the path.
  public var name: String { SourceFile.name(ofPath: path) }

  static func name(ofPath path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The name without the extension of a compressed file.
  var contentName: String { CompressedName.inner(of: name) ?? name }

  var isCompressed: Bool { CompressedName.inner(of: name) != nil }

  /// Returns the file as a file of records if its name indicates a record format.
  public func readAsRecords() -> SourceFile {
    guard let recordFormat else { return self }
    var file = self
    (file.format, file.nominalFormat, file.recordFormat) = (recordFormat, recordFormat, nil)
    file.isFormatCertain = false
    return file
  }

  /// Returns the file with its format marked as certain, so that it is not read as text if it does not parse.
  public func withCertainFormat() -> SourceFile {
    var file = self
    file.isFormatCertain = true
    return file
  }

  /// Returns the file as a text document that a program produces.
  func preprocessed(by preprocessor: Preprocessor) -> SourceFile {
    var file = self
    (file.format, file.nominalFormat, file.recordFormat) = (.text, .text, nil)
    file.isFormatCertain = true
    file.preprocessor = preprocessor
    return file
  }

  /// A string that changes if the preprocessor's command changes; nil for a file without a preprocessor.
  public var preprocessorFingerprint: String? { preprocessor?.fingerprint }

  /// The file with the format to use if its content turns out not to have the sections that its format requires.
  var withoutSections: SourceFile {
    var file = self
    file.format = format.withoutSections
    return file
  }

  /// Returns the file as one text document because it does not parse as the format that its name indicates.
  public func readAsText() -> SourceFile {
    var file = self
    file.format = format.asDocument
    return file
  }
}
