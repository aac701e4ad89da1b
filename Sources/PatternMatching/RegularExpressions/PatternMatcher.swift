import CPCRE2

/// Matches texts with a ``Pattern``. It keeps the memory that a match needs, so one serves many texts.
///
/// ```swift
/// let matcher = try PatternMatcher(Pattern(#"(?<user>\w+)@(\w+)"#))
/// if let match = try matcher.match(in: PatternText(bytes)) { match.range(of: 1) }
/// ```
///
/// It belongs to one thread; make one for each.
public final class PatternMatcher {
  /// The expression.
  public let pattern: Pattern

  let search: PatternSearch

  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/engine(code:)`` when memory is short.
  public init(_ pattern: Pattern) throws(PatternError) {
    self.pattern = pattern
    search = try PatternSearch(pattern)
  }

  /// Text for several searches with this matcher: ``PatternText``, of which no more is found out than this expression needs.
  public func text(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool = false) -> PatternText {
    isValidUTF8 && !search.isFasterOnASCII
      ? PatternText(valid: bytes) : PatternText(bytes, isValidUTF8: isValidUTF8)
  }

  /// Lets all texts from now on, until this is called again, share their time, as parts of one: lines, for instance.
  ///
  /// - Parameters:
  ///   - size: the bytes of all parts. For every 8 MiB there is as much time as ``PatternOptions/Limits/time`` says, and as much
  ///     once.
  ///   - remaining: an upper limit on that time; nil for none.
  public func beginTexts(size: Int, within remaining: Duration? = nil) {
    search.beginTexts(size: size, within: remaining)
  }

  /// Whether the expression matches anywhere in the text.
  ///
  /// - Parameter isValidUTF8: whether the bytes are known to be UTF-8, see ``PatternText``.
  /// - Throws: ``PatternError`` when a limit is reached.
  public func matches(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Bool {
    guard search.mayMatch(text, from: 0) else { return false }
    return try search.find(in: self.text(text, isValidUTF8: isValidUTF8), from: 0)
  }

  /// Whether the expression matches the text from its beginning to its end.
  ///
  /// All ways to match are tried: `a|ab` matches all of `ab`.
  public func matchesWhole(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Bool {
    guard search.mayMatch(text, from: 0) else { return false }
    return try search.findWhole(in: self.text(text, isValidUTF8: isValidUTF8))
  }

  /// Where the first match at or behind a byte stands, in bytes, or nil.
  ///
  /// - Complexity: O(n) for looking at the bytes; where one text is searched again and again, make a ``PatternText``.
  public func firstMatch(
    in text: UnsafeRawBufferPointer, from start: Int = 0, isValidUTF8: Bool = false
  ) throws(PatternError) -> Range<Int>? {
    guard search.mayMatch(text, from: start) else { return nil }
    return try firstMatch(in: self.text(text, isValidUTF8: isValidUTF8), from: start)
  }

  /// Where the first match at or behind a byte stands, in bytes, or nil.
  public func firstMatch(in text: PatternText, from start: Int = 0) throws(PatternError) -> Range<Int>? {
    guard try search.find(in: text, from: start) else { return nil }
    return range(of: 0)
  }

  /// The first match at or behind a byte with its groups, or nil.
  public func match(in text: PatternText, from start: Int = 0) throws(PatternError) -> PatternMatch? {
    guard let range = try firstMatch(in: text, from: start) else { return nil }
    return PatternMatch(range: range, groups: (0...pattern.groupCount).map { self.range(of: $0) })
  }

  /// Where a group of the last match stands; 0 is the match. Nil for a group that took no part.
  public func range(of group: Int) -> Range<Int>? {
    guard group >= 0, group <= pattern.groupCount else { return nil }
    return search.range(of: group)
  }

  /// Calls `body` with each match, which do not overlap, until it returns false. Behind an empty match the search goes on
  /// one character later.
  public func forEachMatch(
    in text: UnsafeRawBufferPointer, isValidUTF8: Bool = false, _ body: (Range<Int>) -> Bool
  ) throws(PatternError) {
    guard search.mayMatch(text, from: 0) else { return }
    try forEachMatch(in: self.text(text, isValidUTF8: isValidUTF8), body)
  }

  /// Calls `body` with each match at or behind a byte, as ``forEachMatch(in:isValidUTF8:_:)`` does.
  public func forEachMatch(
    in text: PatternText, from start: Int = 0, _ body: (Range<Int>) -> Bool
  ) throws(PatternError) {
    let bytes = text.bytes
    var start = start
    while let match = try firstMatch(in: text, from: start) {
      guard body(match) else { return }
      let previous = start
      start = max(match.upperBound, start)
      if match.isEmpty || start == previous {
        // An empty match at the end of a non-empty one is a match of its own, as in Perl.
        guard start < bytes.count else { return }
        start = PatternSearch.character(from: start + 1, in: bytes)
      }
    }
  }

  /// How many matches there are.
  public func count(in text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Int {
    var count = 0
    try forEachMatch(in: text, isValidUTF8: isValidUTF8) { _ in
      count += 1
      return true
    }
    return count
  }
}

/// A match and its groups, as byte ranges of the text.
public struct PatternMatch: Hashable, Sendable {
  /// Where the match stands.
  public let range: Range<Int>
  /// Where the groups stand, by number; number 0 is the match. Nil for a group that took no part.
  public let groups: [Range<Int>?]

  /// A match with its groups.
  public init(range: Range<Int>, groups: [Range<Int>?]) {
    self.range = range
    self.groups = groups
  }
}
