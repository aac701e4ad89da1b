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
  /// The cached matches in the text that was searched last and, before it, in the text that contains it: after the
  /// matches in a line, the search for the next line continues in the whole text.
  private var ahead: [TextMatches] = []

  /// The next match of each expression in a text.
  private struct TextMatches {
    let text: UnsafeRawBufferPointer
    var next: [NextMatch]

    func isFor(_ other: UnsafeRawBufferPointer) -> Bool {
      text.baseAddress == other.baseAddress && text.count == other.count
    }

    func contains(_ other: UnsafeRawBufferPointer) -> Bool {
      guard let start = text.baseAddress, let inner = other.baseAddress else { return false }
      return inner >= start && inner + other.count <= start + text.count
    }
  }

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
  }

  /// Starts a new text. All its parts share one time limit.
  ///
  /// - Parameter remaining: the time left for the whole search; nil for no limit.
  func beginText(size: Int, remaining: Duration?) {
    for matcher in matchers { matcher.beginTexts(size: size, within: remaining) }
    clearCache()
  }

  /// Clears the cached matches, because another text may be stored at the same address.
  func clearCache() { ahead.removeAll(keepingCapacity: true) }

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
    let cache = cacheIndex(for: text.bytes)
    var first: Range<Int>?
    var begin = Int.max
    for (index, matcher) in matchers.enumerated() {
      if !ahead[cache].next[index].holds(from: start) {
        let match = try matcher.firstMatch(in: text, from: start)
        ahead[cache].next[index] = NextMatch(
          start: start, match: match, begin: match == nil ? .max : matcher.startOfMatch)
      }
      let next = ahead[cache].next[index]
      guard let match = next.match, next.begin < begin else { continue }
      (first, begin, last) = (match, next.begin, index)
    }
    return first
  }

  /// Returns the index of the cached matches in a text. Those in texts that do not contain it are removed, because the
  /// groups of their matches are no longer available.
  private func cacheIndex(for text: UnsafeRawBufferPointer) -> Int {
    if let index = ahead.firstIndex(where: { $0.isFor(text) }) {
      ahead.removeSubrange((index + 1)...)
      return index
    }
    ahead.removeAll { !$0.contains(text) }
    ahead.append(TextMatches(text: text, next: Array(repeating: NextMatch(), count: matchers.count)))
    return ahead.count - 1
  }

  /// Appends the result of a template for the last match, which must be a match in this text.
  func append(_ template: ReplacementTemplate, of text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
    matchers[last].append(template, of: text, to: &result, groupsBefore: groupsBefore[last])
  }
}

@available(*, unavailable)
extension LineMatcher: Sendable {}
