/// Reads a Markdown file: its front matter, its title and its text.
enum MarkdownContent {
  /// Reads a UTF-8 file. If the front matter is not YAML, calls `warn` with the line and the reason, and treats the
  /// whole file as text.
  static func read(
    _ file: UnsafeRawBufferPointer, html: HTMLParser, warn: (Int, String) -> Void
  ) -> FileContent {
    var frontMatter: FrontMatter?
    do {
      frontMatter = try FrontMatter(file)
    } catch {
      warn(error.line, error.reason)
    }
    let text = UnsafeRawBufferPointer(rebasing: file[(frontMatter?.end ?? 0)...])
    return FileContent(title: frontMatter?.title ?? heading(in: text, html: html), meta: frontMatter?.meta, text: text)
  }

  /// Returns the first heading: `# Title`, a line underlined with `=` or `-` (<https://spec.commonmark.org>), or an
  /// `<h1>`, which authors use to centre headings. Skips fenced code.
  static func heading(in text: UnsafeRawBufferPointer, html: HTMLParser) -> String? {
    var lines = TextLines(text)
    var paragraph: UnsafeRawBufferPointer?
    var fence: (byte: UInt8, count: Int)?
    while true {
      let start = lines.position
      guard let line = lines.next() else { return nil }
      let trimmed = line.trimmingJSONSpace
      if let open = fence {
        if trimmed.isRule(of: open.byte, atLeast: open.count) { fence = nil }
        continue
      }
      if trimmed.first == UInt8(ascii: "<"), trimmed.hasElement("h1"),
        let title = htmlTitle(UnsafeRawBufferPointer(rebasing: text[start...]), html)
      {
        return title
      }
      guard let first = trimmed.first, line.indentation < 4, line.first != UInt8(ascii: "\t") else {
        paragraph = trimmed.isEmpty ? nil : paragraph
        continue
      }
      let run = trimmed.prefix { $0 == first }.count
      if first == UInt8(ascii: "`") || first == UInt8(ascii: "~"), run >= 3 {
        fence = (first, run)
        paragraph = nil
      } else if first == UInt8(ascii: "#"), run <= 6, run == trimmed.count || trimmed[run].isJSONSpace {
        if let title = atxTitle(UnsafeRawBufferPointer(rebasing: trimmed[run...])) { return title }
        paragraph = nil
      } else if let paragraph, first == UInt8(ascii: "=") || first == UInt8(ascii: "-"), run == trimmed.count {
        return paragraph.trimmedString
      } else if isParagraph(first, trimmed) {
        paragraph = trimmed
      } else {
        paragraph = nil
      }
    }
  }

  /// Returns the text of the `<h1>` that begins on the first line, or nil if it contains only an image.
  private static func htmlTitle(_ text: UnsafeRawBufferPointer, _ html: HTMLParser) -> String? {
    var lines = TextLines(UnsafeRawBufferPointer(rebasing: text.prefix(maximumHTMLCount)))
    while let line = lines.next(), !line.hasElement("/h1") {}
    return html.parse(UnsafeRawBufferPointer(rebasing: text[..<lines.position])).title
  }

  /// The maximum length of an HTML heading in bytes.
  private static let maximumHTMLCount = 4 << 10

  /// Returns the text of an ATX heading without the closing `#` characters, or nil if it is empty.
  private static func atxTitle(_ text: UnsafeRawBufferPointer) -> String? {
    var end = text.trimmingJSONSpace
    let closing = end.reversed().prefix { $0 == UInt8(ascii: "#") }.count
    if closing == end.count {
      return nil
    } else if closing > 0, end[end.count - closing - 1].isJSONSpace {
      end = UnsafeRawBufferPointer(rebasing: end[..<(end.count - closing)])
    }
    return end.trimmedString
  }

  /// Returns false for lists, quotes, tables and HTML, which cannot be underlined headings.
  private static func isParagraph(_ first: UInt8, _ line: UnsafeRawBufferPointer) -> Bool {
    if first == UInt8(ascii: ">") || first == UInt8(ascii: "|") || first == UInt8(ascii: "<") { return false }
    let isBullet = "-*+".utf8.contains(first) && (line.count == 1 || line[1].isJSONSpace)
    return !isBullet
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the bytes contain a tag whose name begins with this text, ignoring case.
  fileprivate func hasElement(_ name: String) -> Bool {
    var position = 0
    while let start = firstIndex(of: UInt8(ascii: "<"), from: position) {
      position = start + 1
      let tag = self[position...].prefix(name.utf8.count)
      if tag.elementsEqual(name.utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
        return true
      }
    }
    return false
  }
}
