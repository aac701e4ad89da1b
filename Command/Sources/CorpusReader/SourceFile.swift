/// A file that a walk found.
public struct SourceFile: Sendable, Hashable {
  /// The path as shown and as stored: relative where the user typed it so, without `./`, with `/`.
  public let path: String
  /// The path from the root of the file system.
  public let absolutePath: String
  /// How many bytes the file has.
  public let size: Int64
  /// When it was last changed, in nanoseconds since 1970.
  public let modified: Int64
  /// The format that it is read as.
  public private(set) var format: CorpusFormat
  /// The format by its name, or the one that the options say: ``format``, unless the content turned out to be something else.
  public private(set) var nominalFormat: CorpusFormat
  /// The format of records that the name stands for, where the file is one document all the same.
  public private(set) var recordFormat: CorpusFormat?
  /// Whether the user knows that the file has this format, so that a record that cannot be read is an error. The format of other
  /// files is a guess by their names.
  public private(set) var isFormatCertain: Bool

  /// Makes a description of a file. ``CorpusWalker`` makes them from what it finds.
  public init(
    path: String, absolutePath: String, size: Int64, modified: Int64, format: CorpusFormat,
    recordFormat: CorpusFormat? = nil, isFormatCertain: Bool = true
  ) {
    self.path = path
    self.absolutePath = absolutePath
    self.size = size
    self.modified = modified
    self.format = format
    nominalFormat = format
    self.recordFormat = recordFormat
    self.isFormatCertain = isFormatCertain
  }

  /// Whether the file holds records, each a document, rather than being one document.
  public var holdsRecords: Bool { format.holdsRecords }

  /// The last part of the path.
  public var name: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The name without the ending of a compressed file.
  var contentName: String { CompressedName.inner(of: name) ?? name }

  var isCompressed: Bool { CompressedName.inner(of: name) != nil }

  /// The file as one that holds records, where its name stands for a format of records.
  public func readAsRecords() -> SourceFile {
    guard let recordFormat else { return self }
    var file = self
    (file.format, file.nominalFormat, file.recordFormat) = (recordFormat, recordFormat, nil)
    file.isFormatCertain = false
    return file
  }

  /// The file as one that is known to have the format of its name, so that it is not read as text where it does not parse.
  public func withCertainFormat() -> SourceFile {
    var file = self
    file.isFormatCertain = true
    return file
  }

  /// The file as one document, because it does not parse as the format that its name stands for.
  public func readAsText() -> SourceFile {
    var file = self
    file.format = format.asDocument
    return file
  }
}
