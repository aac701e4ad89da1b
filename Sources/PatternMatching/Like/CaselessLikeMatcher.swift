/// Matches text against a ``LikePattern``, ignoring case: ILIKE.
///
/// ```swift
/// let matcher = try CaselessLikeMatcher(LikePattern("%straße_"))
/// try matcher.matches(bytes)   // true for "HAUPTSTRAẞE 1"
/// ```
///
/// Letters match as with ``PatternOptions/ignoresCase``, by PCRE2's simple case folding, which maps one character to
/// one character: `ß` matches `ẞ` but not `SS`, and `K` matches the KELVIN SIGN. Accents are significant; languages and
/// collations are ignored.
///
/// Use an instance on one thread only; create one for each thread.
///
/// - Complexity: The same as for ``LikePattern``. PCRE2 searches for the text between two `%` and cannot backtrack in
///   it.
public final class CaselessLikeMatcher {
  /// The pattern.
  public let pattern: LikePattern

  private let first: PatternMatcher
  private let middle: [PatternMatcher]
  /// Nil for a pattern without `%`; ``first`` then matches to the end.
  private let last: PatternMatcher?

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - pattern: the pattern.
  ///   - shouldEnd: see ``PatternMatcher/init(_:shouldEnd:)``.
  /// - Throws: ``PatternError`` if the pattern is too long for PCRE2 (tens of thousands of characters), or if memory
  ///   allocation fails.
  public init(_ pattern: LikePattern, shouldEnd: (() -> Bool)? = nil) throws(PatternError) {
    self.pattern = pattern
    let segments = pattern.segments.map(CaselessLikeMatcher.expression)
    var middle: [PatternMatcher] = []
    for segment in segments.dropFirst().dropLast() {
      middle.append(try CaselessLikeMatcher.matcher(segment, shouldEnd))
    }
    self.middle = middle
    first = try CaselessLikeMatcher.matcher(#"\A"# + segments[0] + (segments.count == 1 ? #"\z"# : ""), shouldEnd)
    last =
      segments.count == 1
      ? nil : try CaselessLikeMatcher.matcher(#"\G"# + segments[segments.count - 1] + #"\z"#, shouldEnd)
  }

  /// Returns whether the whole text matches.
  ///
  /// - Parameter isValidUTF8: whether the bytes are known to be UTF-8; see ``PatternText``.
  /// - Throws: ``PatternError`` if a limit is reached.
  public func matches(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool = false) throws(PatternError) -> Bool {
    let text = first.text(bytes, isValidUTF8: isValidUTF8)
    guard var index = try first.firstMatch(in: text)?.upperBound else { return false }
    for segment in middle {
      guard let match = try segment.firstMatch(in: text, from: index) else { return false }
      index = match.upperBound
    }
    guard let last, let segment = pattern.segments.last else { return true }
    guard let start = LikePattern.offset(segment.count, before: bytes.count, in: bytes), start >= index else {
      return false
    }
    return try last.firstMatch(in: text, from: start) != nil
  }

  /// Returns the segment as a regular expression.
  private static func expression(_ segment: LikePattern.Segment) -> String {
    segment.tokens.map { token in
      guard case .literal(let bytes) = token else { return "." }
      var text = String.UnicodeScalarView()
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { text.append(quoted: scalar) }
      return String(text)
    }.joined()
  }

  private static func matcher(
    _ expression: String, _ shouldEnd: (() -> Bool)?
  ) throws(PatternError) -> PatternMatcher {
    var options = PatternOptions()
    options.ignoresCase = true
    options.dotMatchesNewlines = true
    return try PatternMatcher(PatternCache.shared.pattern(expression, options: options), shouldEnd: shouldEnd)
  }
}
