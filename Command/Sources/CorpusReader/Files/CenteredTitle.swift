/// Finds the centered heading at the start of a plain text such as a license or an RFC.
enum CenteredTitle {
  /// The number of lines searched. RFCs have a header of a dozen lines above the title.
  private static let searchedCount = 60
  /// The maximum number of lines of a title.
  private static let maximumLineCount = 3
  /// The range of page widths, in columns, in which text may be centered.
  private static let widths = 60...80

  /// Returns the first paragraph of which each line is centered, as one line. Returns nil if the text has no such
  /// paragraph.
  static func title(of text: UnsafeRawBufferPointer) -> String? {
    var lines = TextLines(text)
    var paragraph: [String] = []
    var isCentered = true
    for _ in 0..<searchedCount {
      guard let line = lines.next(), !line.isBlank else {
        if isCentered, !paragraph.isEmpty, paragraph.count <= maximumLineCount { return joined(paragraph) }
        if lines.isAtEnd { return nil }
        (paragraph, isCentered) = ([], true)
        continue
      }
      paragraph.append(line.trimmedString)
      isCentered = isCentered && CenteredTitle.isCentered(line)
    }
    return nil
  }

  /// Returns whether a line is centered on a page whose width is within two columns of ``widths``.
  private static func isCentered(_ line: UnsafeRawBufferPointer) -> Bool {
    let margin = line.indentation
    let text = line.trimmedString
    // A smaller margin indicates an indented paragraph. A line without letters or digits is an ornament.
    guard margin >= 8, !text.contains("   "), text.contains(where: { $0.isLetter || $0.isNumber }) else { return false }
    let width = 2 * margin + text.count
    return width >= widths.lowerBound - 2 && width <= widths.upperBound + 2
  }

  private static func joined(_ lines: [String]) -> String? {
    let title = lines.joined(separator: " ")
    return title.utf8.count <= 200 ? title : nil
  }
}
