import DocumentStore

/// The parts of a path, for the command. See `PathParts`.
@_spi(Command) public struct SplitPath {
  /// The folder of the entry.
  public let folder: String
  /// The last part of the path.
  public let name: String
  /// The text after the last dot of the name; empty if there is none.
  public let fileExtension: String

  /// Splits a path.
  public init(_ path: String) {
    folder = PathParts.folder(of: path)
    name = PathParts.name(of: path)
    fileExtension = String(name.dropFirst(PathParts.stem(of: path).count + 1))
  }
}
