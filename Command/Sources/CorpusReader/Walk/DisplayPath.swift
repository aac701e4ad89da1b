/// Paths as the user sees them.
enum DisplayPath {
  /// Returns a path as typed, without redundant components: `docs/a` for `./docs//a/`, and an empty path for `.`. `..`
  /// is kept.
  static func normalized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
