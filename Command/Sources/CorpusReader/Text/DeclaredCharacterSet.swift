/// Resolves the name of a character set that a file declares in its own text, such as an HTML page or an XML file.
enum DeclaredCharacterSet {
  /// Returns the name of the character set in which to decode the file; nil if the name is unknown.
  ///
  /// The declaration was found in ASCII bytes, so the file is not in UTF-16 or UTF-32. Browsers then assume UTF-8
  /// (<https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>). They do not support UTF-7.
  static func resolved(_ name: String) -> String? {
    let name = name.lowercased()
    if name.contains("utf-7") || name.contains("utf7") { return nil }
    if wideNames.contains(where: { name.hasPrefix($0) }) { return "utf-8" }
    if name == "x-user-defined" { return "windows-1252" }
    return NamedCharacterSet.isKnown(name) ? name : nil
  }

  /// The beginnings of the names of UTF-16, UTF-32 and their subsets.
  private static let wideNames = ["utf-16", "utf16", "utf-32", "utf32", "ucs-", "ucs2", "ucs4", "unicode", "iso-10646"]
}
