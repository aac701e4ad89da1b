/// The names of compressed files.
enum CompressedName {
  /// The name of the file inside: `notes.md` for `notes.md.gz`; nil for a name that is not a compressed file's.
  static func inner(of fileName: String) -> String? {
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")), dot > fileName.startIndex,
      extensions.contains(fileName[fileName.utf8.index(after: dot)...].lowercased())
    else { return nil }
    return String(fileName[..<dot])
  }

  private static let extensions: Set = ["gz", "xz", "zst", "bz2"]
}
