package import PatternMatching

/// Searches texts for the lines that match a ``LineQuery``. It reuses its buffers, so one instance should search many
/// texts. An instance must be used on one thread.
///
/// ```swift
/// let scanner = try LineScanner(LineQuery("colou?r"))
/// let text = scanner.prepare(bytes)
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
  /// - Throws: `PatternError` for an invalid pattern, with the reason and the position; ``LineQueryError`` for a
  ///   pattern that requires a line break in a single-line query.
  package convenience init(_ query: LineQuery) throws { try self.init(query, LinePattern(query)) }

  /// Creates a scanner for compiled patterns, which other threads may use at the same time.
  package init(_ query: LineQuery, _ pattern: LinePattern) throws {
    self.query = query
    finder = try LineFinder(pattern)
  }

  /// Prepares a text for searches. The time limit of the text starts; all its searches share it.
  ///
  /// - Parameters:
  ///   - text: UTF-8, or bytes that are treated as malformed UTF-8. They must stay valid while the result is used.
  ///   - parts: the parts of the text, in order. A match across lines does not cross the end of its part. Nil for one
  ///     part.
  ///   - isValidUTF8: whether the bytes are known to be UTF-8.
  ///   - remaining: the time left for the whole search; nil for no limit.
  package func prepare(
    _ text: UnsafeRawBufferPointer, parts: [Range<Int>]? = nil, isValidUTF8: Bool = false,
    remaining: Duration? = nil
  ) -> LineText {
    finder.prepare(text, parts: parts ?? [0..<text.count], isValidUTF8: isValidUTF8, remaining: remaining)
  }

  /// Prepares a text that has been searched only for ``matches(in:of:)`` and ``replacing(in:of:with:)``. Its time limit
  /// continues.
  ///
  /// - Complexity: O(1), or O(n) in the length of the text if ``spansLines`` is true.
  package func prepareForMatches(_ text: UnsafeRawBufferPointer) -> LineText { finder.prepareForMatches(text) }

  /// Whether matches may cross line breaks: the query allows it, and the patterns can match one.
  package var spansLines: Bool { finder.pattern.strategy == .acrossLines }

  /// Calls `body` with each line to show, in the order of the text, until it returns false.
  ///
  /// After the last of ``LineQuery/maximumCount`` matching lines, context lines are still shown; those that match are
  /// shown as matches, as in ripgrep.
  ///
  /// - Throws: `PatternError` if a match exceeds a limit, and any error that `body` throws.
  /// - Complexity: O(n) for most patterns.
  package func forEachLine(of text: LineText, _ body: (SearchedLine) throws -> Bool) throws {
    var collector = LineContextCollector(query: query, text: text.bytes)
    var selection = LineSelection(finder: finder, text: text, isInverted: query.isInverted)
    var shouldContinue = query.maximumCount != 0
    while shouldContinue, let line = try selection.next() { shouldContinue = try collector.show(match: line, body) }
    if shouldContinue { try collector.finish(body) }
  }

  /// Returns the number of lines that a search shows as one: more than one only if matches may cross line breaks.
  package func lineCount(of line: SearchedLine, in text: LineText) -> Int {
    guard spansLines else { return 1 }
    let content = Lines.content(of: line.range, in: text.bytes)
    return Lines.breakCount(in: content, of: text.bytes) + 1
  }

  /// Returns the matches in a line, as byte ranges of the text. Finding all of them takes longer than finding the line.
  package func matches(in line: SearchedLine, of text: LineText) throws(PatternError) -> [Range<Int>] {
    try matches(in: line, of: text, limit: .max).ranges
  }

  /// Returns the first `limit` matches in a line and the number of all matches.
  package func matches(
    in line: SearchedLine, of text: LineText, limit: Int
  ) throws(PatternError) -> (ranges: [Range<Int>], count: Int) {
    var matches: (ranges: [Range<Int>], count: Int) = ([], 0)
    try finder.forEachMatch(in: line.range, of: text) { _, _, offset, match in
      if matches.count < limit { matches.ranges.append(match.lowerBound + offset..<match.upperBound + offset) }
      matches.count += 1
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
      // With `\K`, a match can start before the end of the previous one. Only the part after that end is replaced.
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
