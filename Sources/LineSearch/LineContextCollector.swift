/// Emits lines with their context, and counts them.
struct LineContextCollector {
  private let text: UnsafeRawBufferPointer
  private let before: Int
  private let after: Int
  private let maximumCount: Int
  private let showsGaps: Bool
  private let numbersLines: Bool

  private var count = 0
  /// The number of lines after the last match that are still to be shown.
  private var remaining: Int
  /// The end of the lines shown so far.
  private var shownEnd = 0
  private var hasShown = false
  /// The offset up to which line breaks are counted.
  private var countedOffset = 0
  private var countedBreaks = 0

  init(query: LineQuery, text: UnsafeRawBufferPointer) {
    self.text = text
    let showsAll = query.showsAllLines
    before = showsAll ? .max : max(query.linesBefore, 0)
    after = showsAll ? .max : max(query.linesAfter, 0)
    remaining = showsAll ? .max : 0
    maximumCount = query.maximumCount ?? .max
    showsGaps = before > 0 || after > 0
    numbersLines = query.numbersLines
  }

  /// Emits a match after the rest of the previous match's context and its own preceding context.
  ///
  /// - Returns: Whether to continue.
  mutating func show(match line: Range<Int>, _ body: (SearchedLine) throws -> Bool) throws -> Bool {
    guard try showRest(upTo: line.lowerBound, body) else { return false }
    var start = line.lowerBound
    var left = before
    while left > 0, start > shownEnd {
      start = Lines.start(of: start - 1, in: text, notBefore: shownEnd)
      left -= 1
    }
    while start < line.lowerBound {
      let end = Lines.end(of: start, in: text)
      guard try show(.context, start..<end, body) else { return false }
      start = end
    }
    count += 1
    if count <= maximumCount { remaining = after } else { remaining -= 1 }
    return try show(.match, line, body) && !isDone
  }

  /// Emits the context after the last match.
  mutating func finish(_ body: (SearchedLine) throws -> Bool) throws {
    _ = try showRest(upTo: text.count, body)
  }

  private var isDone: Bool { count >= maximumCount && remaining == 0 }

  private mutating func showRest(upTo limit: Int, _ body: (SearchedLine) throws -> Bool) throws -> Bool {
    while remaining > 0, shownEnd < limit {
      remaining -= 1
      guard try show(.context, shownEnd..<Lines.end(of: shownEnd, in: text), body) else { return false }
    }
    return !isDone
  }

  private mutating func show(
    _ kind: SearchedLine.Kind, _ range: Range<Int>, _ body: (SearchedLine) throws -> Bool
  ) throws -> Bool {
    if numbersLines {
      countedBreaks += Lines.breakCount(in: countedOffset..<range.lowerBound, of: text)
      countedOffset = range.lowerBound
    }
    let line = SearchedLine(
      kind: kind, range: range, number: numbersLines ? countedBreaks + 1 : nil,
      followsGap: showsGaps && hasShown && range.lowerBound > shownEnd)
    hasShown = true
    shownEnd = range.upperBound
    return try body(line)
  }
}
