/// The absolute path of a file or folder, and the range of paths below it.
public struct SourcePath: Sendable {
  /// The path, without a trailing slash.
  public let path: String
  /// The common prefix of the paths below it.
  let lower: String
  /// The first string in byte order after all strings with the prefix ``lower``.
  let upper: String

  /// Creates a path; `/` is the root.
  public init(_ path: String) {
    let end = path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
    self.path = end
    lower = end + "/"
    // `0` is the character after the slash.
    upper = end + "0"
  }
}
