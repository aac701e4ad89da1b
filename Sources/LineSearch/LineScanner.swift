package import PatternMatching

/// Searches texts for the lines that a ``LineQuery`` asks for. It keeps the memory that matching needs, so one instance searches
/// many texts. It belongs to one thread.
///
/// ```swift
/// let scanner = try LineScanner(LineQuery("colou?r"))
/// let text = scanner.prepare(bytes, isNew: true)
/// try scanner.forEachLine(of: text) { line in
///   print(line.number ?? 0, String(decoding: bytes[line.range], as: UTF8.self))
///   return true
/// }
/// ```
package final class LineScanner {
  private let query: LineQuery
  private let finder: LineFinder

  /// Compiles the patterns of a query.
  ///
  /// - Throws: `PatternError` for a pattern that cannot be read, with the reason and the position; ``LineQueryError``.
  package convenience init(_ query: LineQuery) throws { try self.init(query, LinePattern(query)) }

  /// A scanner for patterns that are compiled already, which other threads may use at the same time.
  package init(_ query: LineQuery, _ pattern: LinePattern) throws {
    self.query = query
    finder = try LineFinder(pattern)
  }

  /// Prepares a text for searches.
  ///
  /// - Parameters:
  ///   - text: UTF-8, or bytes that are treated as UTF-8 with errors. It must stay valid while the result is used.
  ///   - parts: the pieces of the text, in order; a match across lines does not cross the end of its piece. Nil for one piece.
  ///   - isValidUTF8: whether the bytes are known to be UTF-8.
  ///   - isNew: whether the time limit of the text starts now. All searches of a text share it.
  ///   - remaining: how much time is left for the whole search; nil for no limit.
  package func prepare(
    _ text: UnsafeRawBufferPointer, parts: [Range<Int>]? = nil, isValidUTF8: Bool = false, isNew: Bool = true,
    remaining: Duration? = nil
  ) -> LineText {
    finder.prepare(
      text, parts: parts ?? [0..<text.count], isValidUTF8: isValidUTF8, isNew: isNew, remaining: remaining)
  }

  /// Whether matches may cross line breaks: the query allows it, and the patterns can match one.
  package var reachesAcrossLines: Bool { finder.pattern.strategy == .acrossLines }

  /// Calls `body` with each line to show, in the order of the text, until it returns false.
  ///
  /// After the last of ``LineQuery/maximumCount`` matching lines, the lines of its context are shown as what they are, matching
  /// ones too, as ripgrep does.
  ///
  /// - Throws: `PatternError` if a match takes more work than the limits allow, and what `body` throws.
  /// - Complexity: O(n) for most patterns.
  package func forEachLine(of text: LineText, _ body: (SearchedLine) throws -> Bool) throws {
    var walk = LineWalk(query: query, text: text.bytes)
    var wanted = WantedLines(finder: finder, text: text, isInverted: query.isInverted)
    var isGoingOn = query.maximumCount != 0
    while isGoingOn, let line = try wanted.next() { isGoingOn = try walk.show(match: line, body) }
    if isGoingOn { try walk.finish(body) }
  }

  /// Returns the matches in a line, in bytes of the text. Finding all of them costs more than finding the line.
  package func matches(in line: SearchedLine, of text: LineText) throws(PatternError) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    try finder.forEachMatch(in: line.range, of: text) { _, _, offset, match in
      matches.append(match.lowerBound + offset..<match.upperBound + offset)
    }
    return matches
  }

  /// Returns a line with its matches replaced.
  package func replacing(
    in line: SearchedLine, of text: LineText, with template: LineReplacement
  ) throws(PatternError) -> ReplacedLine {
    var result = ReplacedLine()
    var end = line.range.lowerBound
    try finder.forEachMatch(in: line.range, of: text) { matcher, subject, offset, match in
      // A match that \K moved back begins at the end of the last one at the earliest.
      result.bytes.append(contentsOf: text.bytes[end..<max(end, match.lowerBound + offset)])
      let start = result.bytes.count
      matcher.append(template.template, of: subject, to: &result.bytes)
      result.matches.append(start..<result.bytes.count)
      end = max(end, match.upperBound + offset)
    }
    result.bytes.append(contentsOf: text.bytes[end..<max(end, line.range.upperBound)])
    return result
  }
}

/// The lines that match, or those that do not.
private struct WantedLines {
  let finder: LineFinder
  let text: LineText
  let isInverted: Bool
  private var position = 0
  /// The lines with the next match, when inverted; nil before the first search.
  private var ahead: Range<Int>?

  init(finder: LineFinder, text: LineText, isInverted: Bool) {
    self.finder = finder
    self.text = text
    self.isInverted = isInverted
  }

  mutating func next() throws(PatternError) -> Range<Int>? {
    guard isInverted else {
      guard position < text.bytes.count, let line = try finder.firstLine(in: text, from: position) else {
        return nil
      }
      position = line.upperBound
      return line
    }
    while position < text.bytes.count {
      var match = ahead
      if match.map({ $0.upperBound <= position }) ?? true {
        match = try finder.firstLine(in: text, from: position) ?? text.bytes.count..<text.bytes.count
        ahead = match
      }
      guard let match, match.lowerBound <= position, !match.isEmpty else { break }
      position = match.upperBound
    }
    guard position < text.bytes.count else { return nil }
    let line = position..<Lines.end(of: position, in: text.bytes)
    position = line.upperBound
    return line
  }
}
