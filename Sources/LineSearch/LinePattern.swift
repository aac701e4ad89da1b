import PatternMatching

/// The patterns of a query as compiled expressions, and how they find lines. Threads may share it.
package struct LinePattern: Sendable {
  /// How lines with a match are found.
  enum Strategy: Hashable, Sendable {
    /// All of the text is searched with patterns that match no line break. Each match is the first one of its line.
    ///
    /// PCRE2 counts its steps from each start of a match, and none goes on after the end of its line: the number of lines does
    /// not matter to the limits.
    case wholeText
    /// Each line is matched by itself.
    case lineByLine
    /// All of the text is searched, and matches may reach across lines.
    case acrossLines
  }

  /// The expressions: one, or several where PCRE2 does not take them as one. Of those that match at a place, the first one counts.
  let patterns: [Pattern]
  let strategy: Strategy
  /// Whether a carriage return at the end of a line does not belong to it.
  let ignoresCarriageReturns: Bool
  /// How many bytes a line with a match has at least.
  let minimumLength: Int
  /// Whether lines are matched one by one since most of them are too short: trying all their places would take longer.
  let skipsShortLines: Bool

  /// What needs fewer bytes most lines have.
  private static let longMinimum = 32

  /// Compiles the patterns of a query.
  ///
  /// - Throws: `PatternError` for a pattern that PCRE2 does not take, ``LineQueryError`` for one that asks for a line break where
  ///   matches end with their line.
  package init(_ query: LineQuery) throws {
    let source = try LinePatternSource(query)
    if query.isMultiline, source.canMatchNewline || !source.isLineSafe {
      strategy = .acrossLines
    } else {
      // Other patterns may look at the text around a match, give nothing back, or ask for the ends of the text.
      strategy = source.isLineSafe && !query.ignoresCarriageReturns ? .wholeText : .lineByLine
    }
    patterns = try source.compiled(leavingOutNewlines: strategy != .acrossLines)
    ignoresCarriageReturns = query.ignoresCarriageReturns
    minimumLength = patterns.map(\.minimumLength).min() ?? 0
    skipsShortLines =
      minimumLength >= LinePattern.longMinimum && strategy != .acrossLines
      && patterns.allSatisfy { $0.analysis.requiredLiteral.count < 3 }
  }
}
