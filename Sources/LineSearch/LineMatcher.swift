import PatternMatching

/// Matches texts with the expressions of a ``LinePattern``, as if they were alternatives of one: the match that begins first
/// counts, and of several at one place that of the first expression. It belongs to one thread.
final class LineMatcher {
  private let matchers: [PatternMatcher]
  /// How many groups the expressions in front of each one have.
  private let groupsBefore: [Int]
  /// The expression of the last match.
  private var last = 0
  /// What is known of the next match of each expression in the text that was searched last.
  private var ahead: [NextMatch]
  private var searched = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The first match of an expression at or behind a place.
  private struct NextMatch {
    var start = Int.max
    var match: Range<Int>?

    /// Whether it is the first one behind another place, too.
    func holds(from place: Int) -> Bool {
      start <= place && (match.map { $0.lowerBound >= place } ?? true)
    }
  }

  init(_ patterns: [Pattern]) throws(PatternError) {
    var matchers: [PatternMatcher] = []
    var groupsBefore: [Int] = []
    var groupCount = 0
    for pattern in patterns {
      matchers.append(try PatternMatcher(pattern))
      groupsBefore.append(groupCount)
      groupCount += pattern.groupCount
    }
    self.matchers = matchers
    self.groupsBefore = groupsBefore
    ahead = Array(repeating: NextMatch(), count: matchers.count)
  }

  /// Begins a text, all parts of which share the time that matching may take.
  ///
  /// - Parameter remaining: the time that is left for the whole search; nil for no limit.
  func beginText(size: Int, remaining: Duration?) {
    for matcher in matchers { matcher.beginTexts(size: size, within: remaining) }
    forget()
  }

  /// Forgets what is known of the text that was searched last: another one may stand in its place.
  func forget() { searched = UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Text for several searches.
  func text(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool) -> PatternText {
    matchers[0].text(bytes, isValidUTF8: isValidUTF8)
  }

  /// Whether there is a match anywhere in the text.
  func matches(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(PatternError) -> Bool {
    for matcher in matchers where try matcher.matches(text, isValidUTF8: isValidUTF8) { return true }
    return false
  }

  /// Where the first match at or behind a byte stands, or nil.
  func firstMatch(in text: PatternText, from start: Int) throws(PatternError) -> Range<Int>? {
    guard matchers.count > 1 else { return try matchers[0].firstMatch(in: text, from: start) }
    if text.bytes.baseAddress != searched.baseAddress || text.bytes.count != searched.count {
      searched = text.bytes
      for index in ahead.indices { ahead[index] = NextMatch() }
    }
    var first: Range<Int>?
    for (index, matcher) in matchers.enumerated() {
      if !ahead[index].holds(from: start) {
        ahead[index] = NextMatch(start: start, match: try matcher.firstMatch(in: text, from: start))
      }
      guard let match = ahead[index].match, match.lowerBound < first?.lowerBound ?? .max else { continue }
      (first, last) = (match, index)
    }
    return first
  }

  /// Appends what a template makes of the last match, which was one in this text.
  func append(_ template: ReplacementTemplate, of text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
    matchers[last].append(template, of: text, to: &result, groupsBefore: groupsBefore[last])
  }
}

@available(*, unavailable)
extension LineMatcher: Sendable {}
