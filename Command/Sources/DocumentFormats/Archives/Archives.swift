/// Extracts the members of archives, each according to its format, and nested archives up to a limit.
enum Archives {
  static func extract(_ reader: ArchiveReader, member outer: String, depth: Int, _ extraction: Extraction) throws {
    while let member = try reader.next() {
      try extraction.countMember()
      guard member.isRegular else { continue }
      let path = outer.isEmpty ? member.name : "\(outer)/\(member.name)"
      guard let name = safeName(member.name) else {
        let reason =
          hasControlCharacter(path) ? "the name contains a control character" : "the name points outside the archive"
        extraction.skip(ExtractionFailure(.unsafeName, member: printable(path), reason))
        continue
      }
      if let target = member.linkTarget {
        extraction.skip(ExtractionFailure(.otherFormat, member: path, "a hard link to \(printable(target))"))
        continue
      }
      guard !member.isEncrypted else {
        extraction.skip(ExtractionFailure(.encrypted, member: path, "the member is encrypted"))
        continue
      }
      do {
        try extractMember(reader, named: name, path: outer.isEmpty ? name : "\(outer)/\(name)", depth, extraction)
      } catch let failure as ExtractionFailure where failure.kind != .crashed && failure.member.isEmpty {
        // Throws if a limit on the whole file is exceeded, because the next member would exceed it as well.
        try extraction.count(0)
        extraction.skip(ExtractionFailure(failure.kind, member: path, failure.reason))
      }
    }
  }

  private static func extractMember(
    _ reader: ArchiveReader, named name: String, path: String, _ depth: Int, _ extraction: Extraction
  ) throws {
    let bytes = try reader.read(limit: extraction.limits.partSize, count: extraction.count)
    try extractContent(bytes, named: name, path: path, depth: depth, extraction)
  }

  /// Extracts a file in memory according to its name, which may be that of a compressed file.
  static func extractContent(
    _ bytes: [UInt8], named name: String, path: String, depth: Int, _ extraction: Extraction
  ) throws {
    guard let inner = CompressedName.inner(of: name) else {
      return try extraction.extract(bytes, format: ExtractedFormat(name: name), member: path, depth: depth)
    }
    let format = ExtractedFormat(name: inner)
    if format == .archive { return try extraction.extract(bytes, format: format, member: path, depth: depth) }
    let decompressed = try decompressed(try ArchiveReader(bytes: bytes, isRaw: true), extraction)
    try extraction.extract(decompressed, format: format, member: path, depth: depth)
  }

  /// Returns the content of a compressed file that is not an archive.
  static func decompressed(_ reader: ArchiveReader, _ extraction: Extraction) throws -> [UInt8] {
    guard try reader.next() != nil else { return [] }
    return try reader.read(limit: extraction.limits.partSize, count: extraction.count)
  }

  /// Returns a name without `./`; nil if it is absolute, on Windows as well, or contains `..` or control characters.
  static func safeName(_ name: String) -> String? {
    guard !name.hasPrefix("/"), !hasControlCharacter(name), !isAbsoluteOnWindows(name) else { return nil }
    let parts = name.split(separator: "/").filter { $0 != "." }
    guard !parts.isEmpty, !name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..") else { return nil }
    return parts.joined(separator: "/")
  }

  /// Returns whether a name begins with a backslash, as in `\\server\folder`, or with a drive letter, as in `C:\a` and
  /// `C:/a`.
  private static func isAbsoluteOnWindows(_ name: String) -> Bool {
    if name.hasPrefix("\\") { return true }
    let start = Array(name.utf8.prefix(3))
    return start.count == 3 && (0x61...0x7A).contains(start[0] | 0x20) && start[1] == UInt8(ascii: ":")
      && (start[2] == UInt8(ascii: "/") || start[2] == UInt8(ascii: "\\"))
  }

  private static func printable(_ name: String) -> String {
    name.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : String($0) }.joined()
  }

  private static func hasControlCharacter(_ name: String) -> Bool { name.unicodeScalars.contains { $0.value < 0x20 } }
}
