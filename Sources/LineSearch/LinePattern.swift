import PatternMatching

/// The compiled patterns of a query and the strategy for finding lines. Threads may share it.
package struct LinePattern: Sendable {
  /// The strategy for finding lines that contain a match.
  enum Strategy: Hashable, Sendable {
    /// The whole text is searched with patterns that cannot match a line break. Each match is the first in its line.
    ///
    /// PCRE2 counts steps separately for each start offset, and no attempt continues past the end of its line, so the
    /// number of lines does not affect whether a limit is exceeded.
    case wholeText
    /// Each line is matched separately.
    case lineByLine
    /// The whole text is searched, and matches may cross line breaks.
    case acrossLines
  }

  /// The compiled expressions: one, or several if the patterns cannot be combined. If several match at one offset, the
  /// match of the first expression is used.
  let patterns: [Pattern]
  let strategy: Strategy
  /// An expression that finds, in the whole text, every line that the pattern may match; nil if the strategy is not
  /// ``Strategy/lineByLine`` or there is no such expression.
  let filter: Pattern?
  /// Whether a carriage return at the end of a line is part of the line break.
  let ignoresCarriageReturns: Bool
  /// The minimum number of bytes of a line that contains a match.
  let minimumLength: Int
  /// Whether lines are matched one by one because most of them are too short for a match, which is faster than trying
  /// every offset.
  let skipsShortLines: Bool

  /// The minimum length of a match from which matching lines one by one is faster. Most lines are shorter.
  private static let longMinimum = 32

  /// Compiles the patterns of a query.
  ///
  /// - Throws: `PatternError` if PCRE2 rejects a pattern; ``LineQueryError`` if a pattern requires a line break but
  ///   matches cannot cross lines.
  package init(_ query: LineQuery) throws {
    let source = try LinePatternSource(query)
    if query.isMultiline, source.canMatchNewline || !source.isLineSafe {
      strategy = .acrossLines
    } else {
      // Patterns that are not line-safe may examine the text around a match, be possessive, or match at the start or
      // end of the text.
      strategy = source.isLineSafe && !query.ignoresCarriageReturns ? .wholeText : .lineByLine
    }
    patterns = try source.compiled(excludingNewlines: strategy != .acrossLines)
    // A carriage return that is part of a line break prevents matches of `$`.
    filter = strategy == .lineByLine && !query.ignoresCarriageReturns ? LinePattern.filter(patterns) : nil
    ignoresCarriageReturns = query.ignoresCarriageReturns
    minimumLength = patterns.map(\.minimumLength).min() ?? 0
    skipsShortLines =
      minimumLength >= LinePattern.longMinimum && strategy != .acrossLines
      && patterns.allSatisfy { $0.analysis.requiredLiteral.count < 3 }
  }

  /// Returns the pattern without its lookarounds if it can search a whole text for lines and no empty match.
  private static func filter(_ patterns: [Pattern]) -> Pattern? {
    guard patterns.count == 1, let pattern = patterns.first, let text = pattern.analysis.withoutLookarounds else {
      return nil
    }
    let analysis = PatternAnalysis(text, options: pattern.options)
    guard analysis.isLineSafe, !analysis.requiresNewline,
      let filter = try? Pattern(analysis.withoutNewlines, options: pattern.options), filter.minimumLength > 0
    else { return nil }
    return filter
  }
}
