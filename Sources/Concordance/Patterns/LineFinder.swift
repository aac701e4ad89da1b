import PatternMatching

/// Finds the lines of a text that have a match. It belongs to one thread.
struct LineFinder {
  let pattern: LinePattern
  private let matcher: PatternMatcher

  init(_ pattern: LinePattern) throws {
    self.pattern = pattern
    matcher = try PatternMatcher(pattern.pattern)
  }

  /// The first line at or behind `start` with a match, or the lines that matches reach over.
  ///
  /// - Parameters:
  ///   - start: where a line begins.
  ///   - parts: what the text is made of; a match across lines does not leave its part.
  func firstLine(
    in text: UnsafeRawBufferPointer, parts: [Range<Int>], from start: Int
  ) throws(PatternError) -> Range<Int>? {
    switch pattern.strategy {
    case .lineByLine: return try lineByLine(text, start)
    case .wholeText, .wholeTextThenLine: return try wholeText(text, start)
    case .acrossLines:
      for part in parts where part.upperBound > start {
        if let lines = try acrossLines(slice(text, part), max(start - part.lowerBound, 0)) {
          return lines.lowerBound + part.lowerBound..<lines.upperBound + part.lowerBound
        }
      }
      return nil
    }
  }

  /// Calls `body` with each match in a line or in several, which do not overlap, in bytes of the text; `body` may ask for the
  /// groups of the match.
  ///
  /// An empty match right behind another match is none, as in ripgrep.
  func forEachMatch(
    in line: Range<Int>, of text: UnsafeRawBufferPointer, parts: [Range<Int>],
    _ body: (PatternMatcher, UnsafeRawBufferPointer, _ offset: Int, Range<Int>) -> Void
  ) throws(PatternError) {
    var subject = Lines.content(of: line, in: text)
    var start = 0
    var limit = subject.count
    if pattern.strategy == .acrossLines {
      // Assertions may look at what stands around the lines.
      subject = parts.first { $0.contains(line.lowerBound) } ?? subject
      start = line.lowerBound - subject.lowerBound
      limit = line.upperBound - subject.lowerBound
    }
    let bytes = slice(text, subject)
    var end = -1
    while start <= limit, let match = try matcher.firstMatch(in: bytes, from: start), match.lowerBound <= limit {
      let isBehindLines =
        pattern.strategy == .acrossLines && match.lowerBound == limit && limit > 0 && bytes[limit - 1] == 0x0A
      if isBehindLines { return }
      if !(match.isEmpty && match.lowerBound == end) { body(matcher, bytes, subject.lowerBound, match) }
      end = match.upperBound
      start = LineFinder.next(behind: match, from: start, in: bytes)
    }
  }

  private func wholeText(_ text: UnsafeRawBufferPointer, _ start: Int) throws(PatternError) -> Range<Int>? {
    var start = start
    while start < text.count, let match = try matcher.firstMatch(in: text, from: start),
      LineFinder.isInLine(match.lowerBound, text)
    {
      let line =
        Lines.start(of: match.lowerBound, in: text, notBefore: start)..<Lines.end(of: match.lowerBound, in: text)
      if pattern.strategy == .wholeText { return line }
      if try matcher.matches(slice(text, Lines.content(of: line, in: text))) { return line }
      start = line.upperBound
    }
    return nil
  }

  private func lineByLine(_ text: UnsafeRawBufferPointer, _ start: Int) throws(PatternError) -> Range<Int>? {
    var start = start
    while start < text.count {
      let line = start..<Lines.end(of: start, in: text)
      if try matcher.matches(slice(text, Lines.content(of: line, in: text))) { return line }
      start = line.upperBound
    }
    return nil
  }

  /// The lines of the first match, with those of the next ones that begin on or right behind the last of them.
  private func acrossLines(_ text: UnsafeRawBufferPointer, _ start: Int) throws(PatternError) -> Range<Int>? {
    var lines: Range<Int>?
    var start = start
    while start <= text.count, let match = try matcher.firstMatch(in: text, from: start),
      LineFinder.isInLine(match.lowerBound, text)
    {
      let first = Lines.start(of: match.lowerBound, in: text)
      // An empty match is on a line as well; a line break at the end of one belongs to its line.
      let last = match.isEmpty ? match.lowerBound : match.upperBound - 1
      let found = first..<Lines.end(of: last, in: text)
      guard let known = lines else {
        lines = found
        start = LineFinder.next(behind: match, from: start, in: text)
        continue
      }
      guard known.upperBound >= found.lowerBound else { break }
      lines = known.lowerBound..<max(known.upperBound, found.upperBound)
      start = LineFinder.next(behind: match, from: start, in: text)
    }
    return lines
  }

  /// Where the search goes on behind a match: behind an empty one, a character later.
  private static func next(behind match: Range<Int>, from start: Int, in text: UnsafeRawBufferPointer) -> Int {
    var next = max(match.upperBound, start)
    if match.isEmpty || next == start {
      next += 1
      while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    }
    return next
  }

  /// Whether there is a line at a place: not behind the line break that ends a text, nor in an empty one.
  private static func isInLine(_ place: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    place < text.count || (place > 0 && text[place - 1] != 0x0A)
  }

  private func slice(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[range])
  }
}
