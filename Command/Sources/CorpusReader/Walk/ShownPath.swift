/// Paths as the user sees them.
enum ShownPath {
  /// A path as typed, without what does not tell anything: `./docs//a/` is `docs/a`, and `.` is empty. `..` stays.
  static func normalized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
