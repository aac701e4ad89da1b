import DocumentStore

/// A path taken apart, for the command: see `PathParts`.
@_spi(Command) public struct SplitPath {
  /// The folder that the entry is in.
  public let folder: String
  /// The last part of the path.
  public let name: String
  /// What follows the last dot of the name; empty where there is none.
  public let fileExtension: String

  /// Takes a path apart.
  public init(_ path: String) {
    folder = PathParts.folder(of: path)
    name = PathParts.name(of: path)
    fileExtension = String(name.dropFirst(PathParts.stem(of: path).count + 1))
  }
}
