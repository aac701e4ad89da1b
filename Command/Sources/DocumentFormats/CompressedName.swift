/// The names of compressed files.
package enum CompressedName {
  /// Returns the name of the decompressed file: `notes.md` for `notes.md.gz`; nil if the name is not that of a
  /// compressed file.
  package static func inner(of fileName: String) -> String? {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    // Compares bytes instead of allocating a string because a walk calls this for every file.
    let isCompressed = endings.contains { $0.elementsEqual(ending, by: { $0 == $1 | 0x20 || $0 == $1 }) }
    return isCompressed ? String(fileName[..<dot]) : nil
  }

  private static let endings = ["gz", "xz", "zst", "bz2"].map { Array($0.utf8) }
}
