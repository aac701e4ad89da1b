/// Finds the first heading of Markdown text (<https://spec.commonmark.org>).
///
/// A heading is `# Title`, a paragraph underlined with `=` or `-`, or an `<h1>`, which authors use to centre headings.
/// Fenced code and HTML comments are skipped.
struct MarkdownHeading {
  private let text: UnsafeRawBufferPointer
  private let html: HTMLParser
  private var lines: TextLines
  /// The offset of the paragraph that the previous line belongs to.
  private var paragraphStart: Int?
  private var fence: (byte: UInt8, count: Int)?
  private var isInComment = false
  private var htmlAttempts = 0

  /// The maximum length of an HTML heading in bytes.
  private static let maximumHTMLCount = 4 << 10
  /// The maximum number of `<h1>` that are parsed, because each attempt parses up to ``maximumHTMLCount`` bytes.
  private static let maximumHTMLAttempts = 100
  /// The maximum length of an underlined paragraph in bytes. A rule below a longer one is not an underline.
  private static let maximumParagraphCount = 1000

  init(_ text: UnsafeRawBufferPointer, html: HTMLParser) {
    self.text = text
    self.html = html
    lines = TextLines(text)
  }

  /// Returns the first heading; nil if there is none.
  ///
  /// - Complexity: O(n).
  mutating func next() -> String? {
    while true {
      let start = lines.position
      guard let line = lines.next() else { return nil }
      if let title = title(line, at: start) { return title }
    }
  }

  /// Reads a line and returns the heading that it contains or ends.
  private mutating func title(_ line: UnsafeRawBufferPointer, at start: Int) -> String? {
    let trimmed = line.trimmingJSONSpace
    if let open = fence {
      if trimmed.isRule(of: open.byte, atLeast: open.count) { fence = nil }
      return nil
    }
    if isInComment {
      isInComment = !trimmed.endsComment
      return nil
    }
    // An indented line is code or part of a paragraph.
    let isIndented = line.indentation >= 4 || line.first == UInt8(ascii: "\t")
    if !isIndented, trimmed.starts(with: "<!--".utf8), !trimmed.endsComment {
      isInComment = true
      paragraphStart = nil
      return nil
    }
    if trimmed.first == UInt8(ascii: "<"), htmlAttempts < MarkdownHeading.maximumHTMLAttempts, trimmed.hasElement("h1")
    {
      htmlAttempts += 1
      if let title = htmlTitle(UnsafeRawBufferPointer(rebasing: text[start...])) { return title }
    }
    guard let first = trimmed.first, !isIndented else {
      if trimmed.isEmpty { paragraphStart = nil }
      return nil
    }
    let run = trimmed.prefix { $0 == first }.count
    if MarkdownHeading.isFence(first, run, trimmed) {
      fence = (first, run)
      paragraphStart = nil
    } else if first == UInt8(ascii: "#"), run <= 6, run == trimmed.count || trimmed[run].isJSONSpace {
      paragraphStart = nil
      return MarkdownHeading.atxTitle(UnsafeRawBufferPointer(rebasing: trimmed[run...]))
    } else if let begin = paragraphStart, first == UInt8(ascii: "=") || first == UInt8(ascii: "-"), run == trimmed.count
    {
      paragraphStart = nil
      return underlinedTitle(begin..<start)
    } else if MarkdownHeading.isParagraph(first, trimmed) {
      paragraphStart = paragraphStart ?? start
    } else {
      paragraphStart = nil
    }
    return nil
  }

  /// Returns whether a line opens fenced code. Three backticks that are closed on their line are inline code.
  private static func isFence(_ first: UInt8, _ run: Int, _ line: UnsafeRawBufferPointer) -> Bool {
    guard run >= 3 else { return false }
    return first == UInt8(ascii: "~") || first == UInt8(ascii: "`") && !line[run...].contains(first)
  }

  /// Returns the lines of a paragraph as one line; nil if it is too long.
  private func underlinedTitle(_ range: Range<Int>) -> String? {
    guard range.count <= MarkdownHeading.maximumParagraphCount else { return nil }
    var lines = TextLines(UnsafeRawBufferPointer(rebasing: text[range]))
    var words: [String] = []
    while let line = lines.next() { words.append(line.trimmedString) }
    return words.joined(separator: " ")
  }

  /// Returns the text of the `<h1>` that begins on the first line, or nil if it contains only an image.
  private func htmlTitle(_ text: UnsafeRawBufferPointer) -> String? {
    var count = min(text.count, MarkdownHeading.maximumHTMLCount)
    if count < text.count {
      // Not within a tag: at the end of a line or, in a long line, before a tag.
      let start = text[..<count]
      count = start.lastIndex(of: UInt8(ascii: "\n")) ?? start.lastIndex(of: UInt8(ascii: "<")) ?? count
    }
    var lines = TextLines(UnsafeRawBufferPointer(rebasing: text[..<count]))
    while let line = lines.next(), !line.hasElement("/h1") {}
    return html.parse(UnsafeRawBufferPointer(rebasing: text[..<lines.position])).title
  }

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

  /// Returns false for lists, quotes, tables, rules and HTML, which cannot be underlined headings.
  private static func isParagraph(_ first: UInt8, _ line: UnsafeRawBufferPointer) -> Bool {
    switch first {
    case UInt8(ascii: ">"), UInt8(ascii: "|"), UInt8(ascii: "<"): return false
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "_"):
      return line.count > 1 && !line[1].isJSONSpace && !line.isRule(of: first, atLeast: 3)
    default:
      let rest = line.drop { $0 &- 0x30 < 10 }
      let isNumbered = rest.startIndex > 0 && (rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")"))
      return !isNumbered || rest.dropFirst().first?.isJSONSpace == false
    }
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

  /// Whether the bytes contain the end of an HTML comment, `-->`.
  fileprivate var endsComment: Bool {
    var position = 0
    while let end = firstIndex(of: UInt8(ascii: ">"), from: position) {
      position = end + 1
      if self[..<position].suffix(3).elementsEqual("-->".utf8) { return true }
    }
    return false
  }
}
