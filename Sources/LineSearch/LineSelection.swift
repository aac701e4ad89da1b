import PatternMatching

/// The lines that match or, if inverted, those that do not.
struct LineSelection {
  private let finder: LineFinder
  private let text: LineText
  private let isInverted: Bool
  /// The end of the lines returned so far and, for an inverted search, of the matching lines after them.
  private var position = 0
  /// The lines of the last match that was found.
  private var found: LineFinder.FoundLines?

  init(finder: LineFinder, text: LineText, isInverted: Bool) {
    self.finder = finder
    self.text = text
    self.isInverted = isInverted
  }

  mutating func next() throws(PatternError) -> Range<Int>? {
    guard isInverted else {
      guard position < text.bytes.count, let next = try finder.firstLines(in: text, from: found?.end ?? 0) else {
        return nil
      }
      (found, position) = (next, next.lines.upperBound)
      return next.lines
    }
    while position < text.bytes.count {
      var match = found
      if match.map({ $0.lines.upperBound <= position }) ?? true {
        let end = text.bytes.count
        match =
          try finder.firstLines(in: text, from: found?.end ?? 0) ?? LineFinder.FoundLines(lines: end..<end, end: end)
        found = match
      }
      guard let match, match.lines.lowerBound <= position, !match.lines.isEmpty else { break }
      position = match.lines.upperBound
    }
    guard position < text.bytes.count else { return nil }
    let line = position..<Lines.end(of: position, in: text.bytes)
    position = line.upperBound
    return line
  }
}
