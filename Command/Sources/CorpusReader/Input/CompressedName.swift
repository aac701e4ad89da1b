/// The names of compressed files.
enum CompressedName {
  /// The name of the file inside: `notes.md` for `notes.md.gz`; nil for a name that is not a compressed file's.
  static func inner(of fileName: String) -> String? {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    // Without a string of its own: this is asked of every file of a walk.
    let isCompressed = endings.contains { $0.elementsEqual(ending, by: { $0 == $1 | 0x20 || $0 == $1 }) }
    return isCompressed ? String(fileName[..<dot]) : nil
  }

  private static let endings = ["gz", "xz", "zst", "bz2"].map { Array($0.utf8) }
}
