import DocumentFormats

/// Reads manual pages in roff with the macros of man(7) and mdoc(7).
///
/// This is not a formatter: it interprets the macros and escapes that contain or separate text, and drops those that
/// only affect the layout. Subsections, lists and paragraphs begin on new lines.
enum ManualPage {
  /// Returns whether a file name extension in lower case is that of a manual page: `1`, `3pm`, `8`, `n`, `man`.
  static func isName(ending: String) -> Bool {
    guard let first = ending.utf8.first, ending.utf8.count <= 10 else { return false }
    let isSection = first &- UInt8(ascii: "1") < 9
    return isSection ? ending.utf8.dropFirst().allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 } : ending == "man"
  }

  /// The number of lines within which a page must begin. The comments before it often contain a licence.
  private static let maximumPreambleCount = 1000

  /// Returns the sections, each with its heading as the name of its location; nil if the text is not a manual page.
  ///
  /// The title consists of the name and the section (`ls(1)`). The creation date is copied unchanged from the page.
  static func sections(of text: UnsafeRawBufferPointer) -> [FilePart]? {
    guard isManualPage(text) else { return nil }
    var reader = RoffReader()
    var lines = TextLines(text)
    while let line = lines.next() { reader.read(String(decoding: line, as: UTF8.self)) }
    reader.finish()
    var metadata = DocumentMetadata()
    metadata.title = reader.title
    metadata.created = reader.date
    let parts = reader.sections.enumerated().compactMap { index, section -> FilePart? in
      guard section.text.contains(where: { !$0.isWhitespace }) else { return nil }
      let location = section.name.map { PartLocation(.section, index, name: $0) }
      return FilePart(location: location, metadata: metadata, text: Array(section.text.utf8))
    }
    return parts.isEmpty ? nil : parts
  }

  /// Returns whether the text begins a page, or refers to another page, before its first line of text. Comments, the
  /// lines of macro definitions, and the braces of conditions on lines of their own (as `pod2man` writes them) are
  /// ignored.
  private static func isManualPage(_ text: UnsafeRawBufferPointer) -> Bool {
    var lines = TextLines(text)
    var count = 0
    var isInDefinition = false
    while let line = lines.next(), count < maximumPreambleCount {
      count += 1
      if isInDefinition {
        isInDefinition = !line.starts(with: "..".utf8)
        continue
      }
      guard line.first == UInt8(ascii: ".") || line.first == UInt8(ascii: "'") else {
        if line.isBlank || isBraceOrComment(line) { continue }
        return false
      }
      let request = line.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      if ["TH ", "Dd ", "so man"].contains(where: { request.starts(with: $0.utf8) }) { return true }
      isInDefinition = ["de ", "de1 ", "ig"].contains { request.starts(with: $0.utf8) }
    }
    return false
  }

  /// Whether the line begins with `\{`, `\}`, `\"` or `\#`, which print nothing.
  private static func isBraceOrComment(_ line: some Collection<UInt8>) -> Bool {
    line.first == UInt8(ascii: "\\") && line.dropFirst().first.map { "{}\"#".utf8.contains($0) } == true
  }
}
