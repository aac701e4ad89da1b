import PatternMatching

/// A query for lines: the patterns to match, and the context lines to show.
///
/// ```swift
/// var query = LineQuery(#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#)
/// query.linesAfter = 2
/// ```
///
/// The patterns are PCRE2 regular expressions with Unicode. Each line is matched separately, as in grep: `^` and `$`
/// match at its ends, and no match crosses a line break unless ``isMultiline`` is set. A line ends with U+000A; a
/// carriage return before it belongs to the line.
public struct LineQuery: Hashable, Sendable {
  /// When matching ignores case.
  public enum LetterCase: Hashable, Sendable {
    /// Never.
    case sensitive
    /// Always.
    case insensitive
    /// If the patterns contain a literal character and no literal character is upper case. Classes such as `\W` and
    /// `[[:upper:]]` are ignored.
    case smart
  }

  /// The regular expressions. A line matches if one of them does. Without patterns, no line matches.
  ///
  /// A reference such as `\1` refers to a group of its own pattern. In a ``LineReplacement``, groups are numbered
  /// across all patterns.
  public var patterns: [String]
  /// Whether the patterns are literal text.
  public var isLiteral = false
  /// When matching ignores case.
  public var letterCase = LetterCase.sensitive
  /// Whether a match must not have a letter, digit or `_` on either side.
  public var matchesWords = false
  /// Whether a match must be the whole line. Takes precedence over ``matchesWords``.
  public var matchesWholeLines = false
  /// Whether to find the lines without a match.
  public var isInverted = false
  /// Whether matches may cross line breaks. `^` and `$` still match at the ends of lines.
  public var isMultiline = false
  /// Whether `.` matches a line break. Has no effect without ``isMultiline``.
  public var dotMatchesNewlines = false
  /// Whether a carriage return before a line break belongs to the break, so that `$` matches before it. Has no effect
  /// on matches across lines.
  public var ignoresCarriageReturns = false

  /// The maximum number of matching lines of a text; nil for all.
  public var maximumCount: Int?
  /// The number of lines to show before a matching line.
  public var linesBefore = 0
  /// The number of lines to show after a matching line.
  public var linesAfter = 0
  /// Whether to show all lines, matching or not. Takes precedence over ``linesBefore`` and ``linesAfter``.
  public var showsAllLines = false
  /// Whether to number lines. Counting them takes time.
  public var numbersLines = true
  /// The limit of the processor time for matching a text. The limit increases by this duration for each 8 MiB of the
  /// text. Matching throws an error if the limit is exceeded.
  public var timeLimit = Duration.seconds(1)

  /// Creates a query for lines that match one of these patterns, with the default settings.
  public init(_ patterns: String...) { self.patterns = patterns }

  /// Creates a query for lines that match one of these patterns, with the default settings.
  package init(patterns: [String]) { self.patterns = patterns }

  /// The first pattern that contains a line break, such as `a\nb`. Without ``isMultiline`` it cannot match, and
  /// searching for it is an error.
  public var patternRequiringLineBreak: String? {
    var options = PatternOptions()
    options.isLiteral = isLiteral
    return patterns.first { LinePatternText($0, options).requiresNewline }
  }

  /// Whether matching ignores case, which depends on the patterns for ``LetterCase/smart``.
  package var ignoresCase: Bool {
    guard letterCase == .smart else { return letterCase == .insensitive }
    var options = PatternOptions()
    options.isLiteral = isLiteral
    return LinePatternText.ignoreCase(patterns.map { LinePatternText($0, options) })
  }
}
