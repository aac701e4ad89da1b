/// The absolute path of a file or folder, and the range of paths below it.
public struct SourcePath: Sendable {
  /// The path, without a slash at its end.
  public let path: String
  /// What paths below it begin with.
  let lower: String
  /// The first string after all that begin with ``lower``, in the order of bytes.
  let upper: String

  /// A path; `/` is the root.
  public init(_ path: String) {
    let end = path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
    self.path = end
    lower = end + "/"
    // The character after the slash.
    upper = end + "0"
  }
}
