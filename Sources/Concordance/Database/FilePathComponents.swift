import DocumentStore

/// The components of a path, for the command. See `PathComponents`.
@_spi(Command) public struct FilePathComponents {
  /// The path of the folder.
  public let folder: String
  /// The last component of the path.
  public let name: String
  /// The text after the last dot of the name; empty if there is none.
  public let fileExtension: String

  /// Splits a path into its folder, its name and its extension.
  public init(_ path: String) {
    folder = PathComponents.folder(of: path)
    name = PathComponents.name(of: path)
    fileExtension = String(name.dropFirst(PathComponents.stem(of: path).count + 1))
  }
}
