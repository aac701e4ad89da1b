import PatternMatching

/// Matches texts with the expressions of a ``LinePattern`` as if they were alternatives of one expression: the first
/// match is the one that begins at the lowest offset or, if several begin there, that of the first such expression.
/// An instance must be used on one thread.
final class LineMatcher {
  private let matchers: [PatternMatcher]
  /// The number of groups in the expressions before each expression.
  private let groupsBefore: [Int]
  /// The expression of the last match.
  private var last = 0
  /// The cached next match of each expression in the text that was searched last.
  private var ahead: [NextMatch]
  private var searched = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The first match of an expression in a search from an offset.
  private struct NextMatch {
    /// The offset from which the text was searched.
    var start = Int.max
    var match: Range<Int>?
    /// The offset at which the match began. With `\K`, the match may start later.
    var begin = Int.max

    /// Returns whether a search from another offset finds the same match.
    func holds(from offset: Int) -> Bool { start <= offset && begin >= offset }
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

  /// Starts a new text. All its parts share one time limit.
  ///
  /// - Parameter remaining: The time left for the whole search; nil for no limit.
  func beginText(size: Int, remaining: Duration?) {
    for matcher in matchers { matcher.beginTexts(size: size, within: remaining) }
    clearCache()
  }

  /// Clears the cached matches, because another text may be stored at the same address.
  func clearCache() { searched = UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Prepares a text for several searches.
  func text(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool) -> PatternText {
    matchers[0].text(bytes, isValidUTF8: isValidUTF8)
  }

  /// Returns whether the text contains a match.
  func matches(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(PatternError) -> Bool {
    for matcher in matchers where try matcher.matches(text, isValidUTF8: isValidUTF8) { return true }
    return false
  }

  /// Returns the range of the first match at or after an offset, or nil.
  func firstMatch(in text: PatternText, from start: Int) throws(PatternError) -> Range<Int>? {
    guard matchers.count > 1 else { return try matchers[0].firstMatch(in: text, from: start) }
    if text.bytes.baseAddress != searched.baseAddress || text.bytes.count != searched.count {
      searched = text.bytes
      for index in ahead.indices { ahead[index] = NextMatch() }
    }
    var first: Range<Int>?
    var begin = Int.max
    for (index, matcher) in matchers.enumerated() {
      if !ahead[index].holds(from: start) {
        let match = try matcher.firstMatch(in: text, from: start)
        ahead[index] = NextMatch(start: start, match: match, begin: match == nil ? .max : matcher.startOfMatch)
      }
      guard let match = ahead[index].match, ahead[index].begin < begin else { continue }
      (first, begin, last) = (match, ahead[index].begin, index)
    }
    return first
  }

  /// Appends the result of a template for the last match, which must be a match in this text.
  func append(_ template: ReplacementTemplate, of text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
    matchers[last].append(template, of: text, to: &result, groupsBefore: groupsBefore[last])
  }
}

@available(*, unavailable)
extension LineMatcher: Sendable {}
