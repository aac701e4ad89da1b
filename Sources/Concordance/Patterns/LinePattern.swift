import PatternMatching

/// The patterns of a request as compiled expressions, and how they find lines. Threads may share it.
struct LinePattern: Sendable {
  /// How lines with a match are found.
  enum Strategy: Hashable, Sendable {
    /// All of the text is searched; a match is never longer than its line, and is the line's first.
    case wholeText
    /// All of the text is searched; a match may be longer than its line, so the line is matched again by itself. No line that
    /// matches by itself is passed over.
    case wholeTextThenLine
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

  /// Compiles the patterns of a request.
  ///
  /// - Throws: ``PatternError`` for a pattern that PCRE2 does not take, ``CBLError`` for one that asks for a line break where
  ///   matches end with their line.
  init(_ request: PatternSearchRequest) throws {
    let source = try LinePatternSource(request)
    if request.isMultiline, source.canMatchNewline || !source.isLineSafe {
      strategy = .acrossLines
    } else {
      // What is not known to be safe is matched line by line: it may look around, give nothing back, or ask for the ends of the
      // text.
      let canMatchNewline = source.canMatchNewlineElsewhere
      strategy =
        source.isLineSafe && !request.ignoresCarriageReturns
        ? canMatchNewline ? .wholeTextThenLine : .wholeText : .lineByLine
    }
    patterns = try source.compiled(leavingOutNewlines: strategy != .acrossLines)
    ignoresCarriageReturns = request.ignoresCarriageReturns
    minimumLength = patterns.map(\.minimumLength).min() ?? 0
    skipsShortLines =
      minimumLength >= LinePattern.longMinimum && strategy != .acrossLines
      && patterns.allSatisfy { $0.analysis.requiredLiteral.count < 3 }
  }
}
