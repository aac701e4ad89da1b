/// The line of a query that contains an error, truncated to a width and made printable, and the line of carets under
/// it.
struct SourceExcerpt {
  let line: String
  let carets: String

  init(_ span: SourceSpan, in source: QueryText, width: Int) {
    let start = source.clamp(span.start)
    let lineStart = source.lineStart(before: start)
    let lineEnd = source.lineEnd(after: start)
    // A span over several lines is marked up to the end of its first line.
    let markEnd = max(start, min(source.clamp(span.end), lineEnd))
    let availableWidth = max(width, 8)

    var marked = Cells(source.text(SourceSpan(start..<markEnd)))
    marked.keepFirst(availableWidth / 2)
    var before = Cells(source.text(SourceSpan(lineStart..<start)))
    var after = Cells(source.text(SourceSpan(markEnd..<lineEnd)))
    // Text before the error explains it better than text after it, so it gets at least half of the remaining width,
    // plus the width that the text after the error does not use.
    let rest = availableWidth - marked.width
    before.keepLast(max(rest / 2, rest - after.width))
    after.keepFirst(rest - before.width)

    line = before.text + marked.text + after.text
    carets =
      String(repeating: " ", count: before.width) + String(repeating: "^", count: max(1, marked.width))
  }

  /// Returns `text` in printable characters, truncated to at most `limit` columns.
  static func visible(_ text: String, limit: Int) -> String {
    var cells = Cells(text)
    cells.keepFirst(limit)
    return cells.text
  }
}

/// A run of printable characters and the number of terminal columns that it occupies.
private struct Cells {
  private var cells: [(text: String, width: Int)] = []
  private(set) var width = 0

  init(_ text: String) {
    for character in text {
      let shown = character.printable
      let width = shown.map(\.terminalWidth).max() ?? 0
      cells.append((shown, width))
      self.width += width
    }
  }

  var text: String { cells.map(\.text).joined() }

  mutating func keepFirst(_ limit: Int) {
    guard width > limit else { return }
    while width > max(limit - 1, 0), let last = cells.popLast() { width -= last.width }
    cells.append(("…", 1))
    width += 1
  }

  mutating func keepLast(_ limit: Int) {
    guard width > limit else { return }
    var dropped = 0
    while width > max(limit - 1, 0), dropped < cells.count {
      width -= cells[dropped].width
      dropped += 1
    }
    cells.replaceSubrange(..<dropped, with: [("…", 1)])
    width += 1
  }
}
