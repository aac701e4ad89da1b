/// The folder and the name in a path, computed from its text only.
///
/// `NSString.deletingLastPathComponent` traps for paths of one character (`a`, `.`), and `URL(fileURLWithPath:)`
/// expands `~`.
package enum PathComponents {
  /// Returns the folder that contains the file at a path: `.` for a name without slashes, `/` for `/` itself. Trailing
  /// slashes are ignored.
  package static func folder(of path: String) -> String {
    let bytes = withoutTrailingSlashes(path)
    guard let slash = bytes.lastIndex(of: slash) else { return path.utf8.first == PathComponents.slash ? "/" : "." }
    let folder = withoutTrailingSlashes(String(Substring(bytes[..<slash])))
    return folder.isEmpty ? "/" : String(Substring(folder))
  }

  /// Returns the last component of a path; empty for `/`. Trailing slashes are ignored.
  package static func name(of path: String) -> String {
    let bytes = withoutTrailingSlashes(path)
    return String(Substring(bytes.lastIndex(of: slash).map { bytes[bytes.index(after: $0)...] } ?? bytes))
  }

  /// Returns the name without its extension: the part after the last dot, unless the name begins or ends with this dot.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
      name.utf8.index(after: dot) < name.endIndex
    else { return name }
    return String(name[..<dot])
  }

  private static let slash = UInt8(ascii: "/")

  private static func withoutTrailingSlashes(_ path: String) -> Substring.UTF8View {
    var bytes = path[...].utf8
    while bytes.last == slash { bytes.removeLast() }
    return bytes
  }
}
