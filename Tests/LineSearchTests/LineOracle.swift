import PatternMatching

@testable import LineSearch

/// A reference implementation: searches line by line, slowly, with PCRE2 alone.
struct LineOracle {
  let query: LineQuery
  private let matcher: PatternMatcher

  init(_ query: LineQuery) throws {
    self.query = query
    var options = PatternOptions()
    options.ignoresCase = query.letterCase == .insensitive
    options.isMultiline = query.isMultiline
    options.dotMatchesNewlines = query.dotMatchesNewlines
    // The patterns of these tests contain no literal line break, so a line break only ends the comment of an extended
    // one. `(?|` numbers the groups of each pattern from 1, so that references refer to groups of their own pattern.
    var text = "(?|" + query.patterns.map { "(?:\($0))" }.joined(separator: "|") + ")"
    if query.matchesWholeLines {
      text = "^\(text)$"
    } else if query.matchesWords {
      text = "(?<!\\w)\(text)(?!\\w)"
    }
    for pattern in query.patterns { _ = try Pattern(pattern) }
    matcher = try PatternMatcher(Pattern(text, options: options))
  }

  struct Line: Equatable {
    let isMatch: Bool
    let range: Range<Int>
    let number: Int
    let followsGap: Bool
  }

  /// Returns the lines to show.
  func lines(of text: [UInt8]) throws -> [Line] {
    let all = ranges(of: text)
    var shown: [Int: Bool] = [:]
    var count = 0
    var remaining = 0
    let maximum = query.maximumCount ?? .max
    for (index, range) in all.enumerated() {
      if count >= maximum, remaining == 0 { break }
      if try matches(text, range) != query.isInverted {
        for before in max(index - query.linesBefore, 0)..<index where shown[before] == nil { shown[before] = false }
        shown[index] = true
        count += 1
        remaining = count <= maximum ? query.linesAfter : remaining - 1
      } else if remaining > 0 {
        shown[index] = false
        remaining -= 1
      }
    }
    var previous: Int?
    return all.indices.compactMap { index in
      guard let isMatch = shown[index] else { return nil }
      defer { previous = index }
      let hasContext = query.linesBefore + query.linesAfter > 0
      return Line(
        isMatch: isMatch, range: all[index], number: index + 1,
        followsGap: hasContext && previous.map { $0 + 1 < index } ?? false)
    }
  }

  /// Returns the matches in a line, taken as a text.
  func submatches(_ text: [UInt8], _ line: Range<Int>) throws -> [Range<Int>] {
    let content = content(text, line)
    var found: [Range<Int>] = []
    try Array(text[content]).withUnsafeBytes { bytes in
      try matcher.forEachMatch(in: bytes) { match in
        let match = match.lowerBound + content.lowerBound..<match.upperBound + content.lowerBound
        if !(match.isEmpty && found.last?.upperBound == match.lowerBound) { found.append(match) }
        return true
      }
    }
    return found
  }

  /// Returns the numbers of the lines that matches across lines touch.
  func linesAcross(_ text: [UInt8]) throws -> Set<Int> {
    var numbers: Set<Int> = []
    let all = ranges(of: text)
    try text.withUnsafeBytes { bytes in
      try matcher.forEachMatch(in: bytes) { match in
        for (index, line) in all.enumerated() {
          let touches =
            match.isEmpty
            ? line.contains(match.lowerBound)
              || (match.lowerBound == text.count && index == all.count - 1 && text.last != 0x0A)
            : line.overlaps(match)
          if touches { numbers.insert(index + 1) }
        }
        return true
      }
    }
    return numbers
  }

  private func matches(_ text: [UInt8], _ line: Range<Int>) throws -> Bool {
    try Array(text[content(text, line)]).withUnsafeBytes { try matcher.matches($0) }
  }

  private func content(_ text: [UInt8], _ line: Range<Int>) -> Range<Int> {
    text[line].last == 0x0A ? line.lowerBound..<(line.upperBound - 1) : line
  }

  private func ranges(of text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for (index, byte) in text.enumerated() where byte == 0x0A {
      ranges.append(start..<(index + 1))
      start = index + 1
    }
    if start < text.count { ranges.append(start..<text.count) }
    return ranges
  }
}
