import PatternMatching

/// Searches texts for the lines that a ``PatternSearchRequest`` wants. It keeps the memory that matching needs, so one serves
/// many texts. It belongs to one thread.
///
/// ```swift
/// let searcher = try LineSearcher(PatternSearchRequest("colou?r"))
/// try searcher.forEachLine(of: bytes) { line in
///   print(line.number ?? 0, String(decoding: bytes[line.range], as: UTF8.self))
///   return true
/// }
/// ```
public final class LineSearcher {
  private let request: PatternSearchRequest
  private let finder: LineFinder

  /// Compiles the patterns.
  ///
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery`` for a pattern that cannot be read, with the reason and the place.
  public init(_ request: PatternSearchRequest) throws {
    self.request = request
    finder = try withPublicErrors { try LineFinder(LinePattern(request)) }
  }

  init(_ request: PatternSearchRequest, _ pattern: LinePattern) throws {
    self.request = request
    finder = try withPublicErrors { try LineFinder(pattern) }
  }

  /// Calls `body` with each line to show, in the order of the text, until it returns false.
  ///
  /// Behind the last of ``PatternSearchRequest/maximumCount`` matching lines, the ones in its context are shown as what they
  /// are, matching ones too, as ripgrep does.
  ///
  /// - Parameter text: UTF-8.
  /// - Throws: ``CBLError`` where a match takes more work than the limits allow, and what `body` throws.
  /// - Complexity: O(n) for most patterns.
  public func forEachLine(
    of text: UnsafeRawBufferPointer, _ body: (SearchedLine) throws -> Bool
  ) throws {
    try withPublicErrors { try forEachLine(of: prepare(text, isNew: true), body) }
  }

  /// The matches in a line, in bytes of the text.
  ///
  /// They are asked for, not given along: finding all of them costs more than finding the line.
  public func matches(in line: SearchedLine, of text: UnsafeRawBufferPointer) throws -> [Range<Int>] {
    try withPublicErrors { try matches(in: line, of: prepare(text, isNew: false)) }
  }

  /// A line with its matches replaced.
  public func replacing(
    in line: SearchedLine, of text: UnsafeRawBufferPointer, with template: LineReplacement
  ) throws -> ReplacedLine {
    try withPublicErrors { try replacing(in: line, of: prepare(text, isNew: false), with: template) }
  }

  /// A text of a document, which is known to be UTF-8.
  func prepare(document text: UnsafeRawBufferPointer, parts: [Range<Int>]) -> LineText {
    finder.prepare(text, parts: parts, isValidUTF8: true, isNew: true)
  }

  private func prepare(_ text: UnsafeRawBufferPointer, isNew: Bool) -> LineText {
    finder.prepare(text, parts: [0..<text.count], isValidUTF8: false, isNew: isNew)
  }

  /// Whether matches may reach across line breaks: where that was asked for, and the patterns can.
  var reachesAcrossLines: Bool { finder.pattern.strategy == .acrossLines }

  func forEachLine(of text: LineText, _ body: (SearchedLine) throws -> Bool) throws {
    var walk = LineWalk(request: request, text: text.bytes)
    var wanted = WantedLines(finder: finder, text: text, isInverted: request.isInverted)
    var isGoingOn = request.maximumCount != 0
    while isGoingOn, let line = try wanted.next() { isGoingOn = try walk.show(match: line, body) }
    if isGoingOn { try walk.finish(body) }
  }

  func matches(in line: SearchedLine, of text: LineText) throws(PatternError) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    try finder.forEachMatch(in: line.range, of: text) { _, _, offset, match in
      matches.append(match.lowerBound + offset..<match.upperBound + offset)
    }
    return matches
  }

  func replacing(
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
