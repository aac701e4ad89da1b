import CPCRE2

/// Matches texts with a ``Pattern``. It reuses the memory of matches, so one matcher should be used for many texts.
///
/// ```swift
/// let matcher = try PatternMatcher(Pattern(#"(?<user>\w+)@(\w+)"#))
/// if let match = try matcher.firstMatch(in: bytes) { print(match, matcher.range(of: 1) ?? match) }
/// ```
///
/// An instance must be used on one thread; create one for each thread.
public final class PatternMatcher {
  /// The expression.
  public let pattern: Pattern

  let search: PatternSearch

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - pattern: the expression.
  ///   - shouldEnd: called regularly during a long search. Once it returns true, the search throws ``PatternError`` of
  ///     kind ``PatternError/Kind/interrupted``.
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/engine(code:)`` if memory allocation fails.
  public init(_ pattern: Pattern, shouldEnd: (() -> Bool)? = nil) throws(PatternError) {
    self.pattern = pattern
    search = try PatternSearch(pattern, shouldEnd: shouldEnd)
  }

  /// Creates a ``PatternText`` for several searches with this matcher. It determines only the properties that this
  /// expression needs.
  public func text(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool = false) -> PatternText {
    isValidUTF8 && !search.isFasterOnASCII
      ? PatternText(valid: bytes) : PatternText(bytes, isValidUTF8: isValidUTF8)
  }

  /// Makes all following texts, such as the lines of a file, share one time limit until this is called again.
  ///
  /// - Parameters:
  ///   - size: the total number of bytes. The time limit is ``PatternOptions/Limits/time``, plus the same time for each
  ///     8 MiB.
  ///   - remaining: an upper limit on that time; nil for none.
  public func beginTexts(size: Int, within remaining: Duration? = nil) {
    search.beginTexts(size: size, within: remaining)
  }

  /// Returns whether the expression matches anywhere in the text.
  ///
  /// - Parameter isValidUTF8: whether the bytes are known to be UTF-8, see ``PatternText``.
  /// - Throws: ``PatternError`` if a limit is reached.
  public func matches(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Bool {
    guard search.mayMatch(text, from: 0) else { return false }
    return try search.find(in: self.text(text, isValidUTF8: isValidUTF8), from: 0)
  }

  /// Returns whether the expression matches the text from its beginning to its end.
  ///
  /// All alternatives are tried: `a|ab` matches all of `ab`.
  public func matchesWhole(_ text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Bool {
    guard search.mayMatch(text, from: 0) else { return false }
    return try search.findWhole(in: self.text(text, isValidUTF8: isValidUTF8))
  }

  /// Returns the byte range of the first match at or after `start`, or nil.
  ///
  /// - Complexity: O(n) for checking the bytes. To search one text several times, create a ``PatternText``.
  public func firstMatch(
    in text: UnsafeRawBufferPointer, from start: Int = 0, isValidUTF8: Bool = false
  ) throws(PatternError) -> Range<Int>? {
    guard search.mayMatch(text, from: start) else { return nil }
    return try firstMatch(in: self.text(text, isValidUTF8: isValidUTF8), from: start)
  }

  /// Returns the byte range of the first match at or after `start`, or nil.
  public func firstMatch(in text: PatternText, from start: Int = 0) throws(PatternError) -> Range<Int>? {
    guard try search.find(in: text, from: start) else { return nil }
    return range(of: 0)
  }

  /// The offset at which the last match began. With `\K`, it can be less than the lower bound of the match.
  package var startOfMatch: Int { search.startOfMatch }

  /// Returns the byte range of a group of the last match; 0 is the match. Nil if the group did not participate.
  public func range(of group: Int) -> Range<Int>? {
    guard group >= 0, group <= pattern.groupCount else { return nil }
    return search.range(of: group)
  }

  /// Calls `body` with each match until it returns false. Matches do not overlap. After an empty match, the search
  /// continues one character later.
  public func forEachMatch(
    in text: UnsafeRawBufferPointer, isValidUTF8: Bool = false, _ body: (Range<Int>) -> Bool
  ) throws(PatternError) {
    guard search.mayMatch(text, from: 0) else { return }
    try forEachMatch(in: self.text(text, isValidUTF8: isValidUTF8), body)
  }

  /// Calls `body` with each match at or after an offset, as ``forEachMatch(in:isValidUTF8:_:)`` does.
  public func forEachMatch(
    in text: PatternText, from start: Int = 0, _ body: (Range<Int>) -> Bool
  ) throws(PatternError) {
    var start = start
    // An empty match at the end of a non-empty one is a separate match, as in Perl.
    while let match = try firstMatch(in: text, from: start) {
      guard body(match) else { return }
      start = PatternMatcher.offset(after: match, from: start, in: text.bytes)
    }
  }

  /// Returns the offset at which the search continues after a match: its end, or one character later if it is empty or
  /// ends at the start of the search. The offset may be after the end of the text.
  ///
  /// - Parameter start: the offset at which the search for the match began.
  package static func offset(after match: Range<Int>, from start: Int, in text: UnsafeRawBufferPointer) -> Int {
    // With `\K`, a match may end before the start of the search.
    let next = max(match.upperBound, start)
    return match.isEmpty || next == start ? PatternSearch.character(from: next + 1, in: text) : next
  }

  /// Returns the number of matches.
  public func count(in text: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Int {
    var count = 0
    try forEachMatch(in: text, isValidUTF8: isValidUTF8) { _ in
      count += 1
      return true
    }
    return count
  }
}
