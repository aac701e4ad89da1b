import CArchive

/// The names of members of archives.
enum MemberName {
  /// Returns the name of a member. A ZIP archive that does not use UTF-8 uses code page 437 (APPNOTE.TXT, appendix D).
  static func decode(_ entry: OpaquePointer, isZip: Bool) -> String {
    // Nil if the name is not valid in the character set of the locale.
    if let name = archive_entry_pathname_utf8(entry) { return String(cString: name) }
    guard let name = archive_entry_pathname(entry) else { return "" }
    var length = 0
    while name[length] != 0 { length += 1 }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: name, count: length))
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let decoded = isZip ? bytes.withUnsafeBytes { Iconv.decode($0, characterSet: "CP437") } : nil
    return String(decoding: decoded ?? bytes, as: UTF8.self)
  }
}
