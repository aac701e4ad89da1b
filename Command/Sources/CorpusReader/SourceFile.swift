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
  /// What it holds, by its name or as the options say.
  public let format: CorpusFormat

  /// Makes a description of a file. ``CorpusWalker`` makes them from what it finds.
  public init(path: String, absolutePath: String, size: Int64, modified: Int64, format: CorpusFormat) {
    self.path = path
    self.absolutePath = absolutePath
    self.size = size
    self.modified = modified
    self.format = format
  }

  /// Whether the file holds records, each a document, rather than being one document.
  public var holdsRecords: Bool { format.holdsRecords }

  /// The last part of the path.
  public var name: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}
