import PatternMatching

/// Finds the lines of a text that contain a match. An instance must be used on one thread.
struct LineFinder {
  let pattern: LinePattern
  private let matcher: LineMatcher
  private let filter: LineFilter?

  init(_ pattern: LinePattern) throws {
    self.pattern = pattern
    matcher = try LineMatcher(pattern.patterns)
    filter = try LineFilter(pattern)
  }

  /// Prepares a text for several searches.
  ///
  /// - Parameters:
  ///   - parts: the parts of the text, in order. A match across lines does not cross the end of its part.
  ///   - isValidUTF8: whether the bytes are known to be UTF-8.
  ///   - remaining: the time left for the whole search; nil for no limit.
  func prepare(
    _ bytes: UnsafeRawBufferPointer, parts: [Range<Int>], isValidUTF8: Bool, remaining: Duration?
  ) -> LineText {
    matcher.beginText(size: bytes.count, remaining: remaining)
    filter?.beginText(size: bytes.count, remaining: remaining)
    let searched: [PatternText] =
      switch pattern.strategy {
      case .lineByLine: filter.map { [$0.text(bytes, isValidUTF8: isValidUTF8)] } ?? []
      case .wholeText: [matcher.text(bytes, isValidUTF8: isValidUTF8)]
      case .acrossLines: parts.map { matcher.text(slice(bytes, $0), isValidUTF8: isValidUTF8) }
      }
    return LineText(bytes: bytes, parts: parts, isValidUTF8: isValidUTF8, searched: searched)
  }

  /// Prepares a text only for ``forEachMatch(in:of:_:)``. Its time limit continues.
  ///
  /// - Complexity: O(1), or O(n) in the length of the text if matches may cross line breaks.
  func prepareForMatches(_ bytes: UnsafeRawBufferPointer) -> LineText {
    matcher.clearCache()
    let searched = pattern.strategy == .acrossLines ? [matcher.text(bytes, isValidUTF8: false)] : []
    return LineText(bytes: bytes, parts: [0..<bytes.count], isValidUTF8: false, searched: searched)
  }

  /// Lines with a match.
  struct FoundLines {
    let lines: Range<Int>
    /// The offset at which the search for the next lines begins: the end of ``lines`` or, if matches may cross line
    /// breaks, of the last match. With `\K`, the next match may begin between the two.
    let end: Int
  }

  /// Returns the first line at or after `start` that contains a match, or the lines that a multiline match covers.
  ///
  /// - Parameter start: the start of the text, or ``FoundLines/end``.
  func firstLines(in text: LineText, from start: Int) throws(PatternError) -> FoundLines? {
    guard pattern.strategy == .acrossLines else {
      let isByLine = pattern.skipsShortLines || pattern.strategy == .lineByLine
      guard let line = try isByLine ? lineByLine(text, start) : wholeText(text, start) else { return nil }
      return FoundLines(lines: line, end: line.upperBound)
    }
    for index in text.indexOfPart(endingAfter: start)..<text.parts.count {
      let part = text.parts[index]
      if let found = try acrossLines(text.searched[index], max(start - part.lowerBound, 0)) {
        let lines = found.lines.lowerBound + part.lowerBound..<found.lines.upperBound + part.lowerBound
        return FoundLines(lines: lines, end: min(found.end + part.lowerBound, part.upperBound))
      }
    }
    return nil
  }

  /// Calls `body` with each match in one or several lines, as byte ranges of the text. Matches do not overlap. `body`
  /// may read the groups of the match.
  ///
  /// An empty match directly after another match is skipped, as in ripgrep.
  func forEachMatch(
    in line: Range<Int>, of text: LineText,
    _ body: (LineMatcher, UnsafeRawBufferPointer, _ offset: Int, Range<Int>) -> Void
  ) throws(PatternError) {
    var offset = line.lowerBound
    var start = 0
    let searched: PatternText
    let limit: Int
    if pattern.strategy == .acrossLines {
      // Assertions may examine the text around the lines.
      let part = text.indexOfPart(endingAfter: line.lowerBound)
      guard part < text.parts.count else { return }
      searched = text.searched[part]
      offset = text.parts[part].lowerBound
      start = line.lowerBound - offset
      limit = line.upperBound - offset
    } else {
      let content = slice(text.bytes, content(of: line, in: text.bytes))
      searched = matcher.text(content, isValidUTF8: text.isValidUTF8)
      limit = content.count
    }
    let bytes = searched.bytes
    var end = -1
    while start <= limit, let match = try matcher.firstMatch(in: searched, from: start), match.lowerBound <= limit {
      // A match that begins after a line break is on the next line.
      if pattern.strategy == .acrossLines, match.lowerBound == limit, limit > 0, bytes[limit - 1] == 0x0A { return }
      if !(match.isEmpty && match.lowerBound == end) { body(matcher, bytes, offset, match) }
      end = match.upperBound
      start = PatternMatcher.offset(after: match, from: start, in: bytes)
    }
  }

  private func wholeText(_ text: LineText, _ start: Int) throws(PatternError) -> Range<Int>? {
    let bytes = text.bytes
    guard start < bytes.count, let match = try matcher.firstMatch(in: text.searched[0], from: start),
      LineFinder.isInLine(match.lowerBound, bytes)
    else { return nil }
    return Lines.start(of: match.lowerBound, in: bytes, notBefore: start)..<Lines.end(of: match.lowerBound, in: bytes)
  }

  private func lineByLine(_ text: LineText, _ start: Int) throws(PatternError) -> Range<Int>? {
    var start = start
    while start < text.bytes.count {
      if let filter {
        guard let candidate = filter.firstLine(in: text.searched[0], from: start) else { return nil }
        start = candidate
      }
      let line = start..<Lines.end(of: start, in: text.bytes)
      if line.count >= pattern.minimumLength, try matches(line, text) { return line }
      start = line.upperBound
    }
    return nil
  }

  /// Returns whether a line, as a separate text, contains a match.
  private func matches(_ line: Range<Int>, _ text: LineText) throws(PatternError) -> Bool {
    try matcher.matches(slice(text.bytes, content(of: line, in: text.bytes)), isValidUTF8: text.isValidUTF8)
  }

  /// Returns the lines of the first match, including those of the next matches that begin on the last of these lines or
  /// directly after it.
  private func acrossLines(_ searched: PatternText, _ start: Int) throws(PatternError) -> FoundLines? {
    let text = searched.bytes
    var lines: Range<Int>?
    var start = start
    while start <= text.count, let match = try matcher.firstMatch(in: searched, from: start),
      LineFinder.isInLine(match.lowerBound, text)
    {
      // An empty match also belongs to a line. A line break at the end of a match belongs to the line that it ends.
      let last = match.isEmpty ? match.lowerBound : match.upperBound - 1
      if let known = lines {
        // Only text after the known lines is examined: a long line may have many matches.
        let first = Lines.start(of: max(match.lowerBound, known.upperBound), in: text, notBefore: known.upperBound)
        guard first == known.upperBound else { break }
        if last >= known.upperBound { lines = known.lowerBound..<Lines.end(of: last, in: text) }
      } else {
        lines = Lines.start(of: match.lowerBound, in: text)..<Lines.end(of: last, in: text)
      }
      start = PatternMatcher.offset(after: match, from: start, in: text)
    }
    return lines.map { FoundLines(lines: $0, end: start) }
  }

  /// Returns whether an offset is on a line. The offset after a final line break is not on a line, and an empty text
  /// has no lines.
  private static func isInLine(_ offset: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    offset < text.count || (offset > 0 && text[offset - 1] != 0x0A)
  }

  /// Returns the part of a line that is matched.
  private func content(of line: Range<Int>, in text: UnsafeRawBufferPointer) -> Range<Int> {
    let content = Lines.content(of: line, in: text)
    guard pattern.ignoresCarriageReturns, content.count < line.count, !content.isEmpty,
      text[content.upperBound - 1] == 0x0D
    else { return content }
    return content.lowerBound..<(content.upperBound - 1)
  }

  private func slice(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[range])
  }
}
