import PatternMatching

/// Which lines of a text a search finds, and which lines around them it shows.
///
/// ```swift
/// var query = LineQuery(#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#)
/// query.linesAfter = 2
/// ```
///
/// The patterns are regular expressions of PCRE2, with Unicode. Each line is a text of its own, as in grep: `^` and `$` match at
/// its ends, and no match crosses a line break unless ``isMultiline`` is set. A line ends with U+000A; a carriage return before
/// it belongs to the line.
public struct LineQuery: Hashable, Sendable {
  /// When letters match in either case.
  public enum LetterCase: Hashable, Sendable {
    /// Never.
    case sensitive
    /// Always.
    case insensitive
    /// When the patterns contain a literal character and none of the literal characters is upper case. Classes such as `\W` and
    /// `[[:upper:]]` do not count.
    case smart
  }

  /// The regular expressions; a line matches when one of them does. Groups are numbered through all of them. Without patterns no
  /// line matches.
  public var patterns: [String]
  /// Whether the patterns are literal text.
  public var isLiteral = false
  /// When letters match in either case.
  public var letterCase = LetterCase.sensitive
  /// Whether a match must not have a letter, digit or `_` on either side.
  public var matchesWords = false
  /// Whether a match must be the whole line. Takes precedence over ``matchesWords``.
  public var matchesWholeLines = false
  /// Whether to find the lines without a match.
  public var isInverted = false
  /// Whether matches may cross line breaks. `^` and `$` still match at the ends of lines.
  public var isMultiline = false
  /// Whether `.` matches a line break; only with ``isMultiline``.
  public var dotMatchesNewlines = false
  /// Whether a carriage return before a line break belongs to the break: `$` matches before it. Not across lines.
  public var ignoresCarriageReturns = false

  /// The maximum number of matching lines of a text; nil for all.
  public var maximumCount: Int?
  /// How many lines before a matching one are shown.
  public var linesBefore = 0
  /// How many lines after a matching one are shown.
  public var linesAfter = 0
  /// Whether all lines are shown, whether or not one matches. Takes precedence over ``linesBefore`` and ``linesAfter``.
  public var showsAllLines = false
  /// Whether lines are numbered. Counting them takes time.
  public var numbersLines = true
  /// How much processor time matching may take for a text, and again for each 8 MiB of it. A match that takes longer throws an
  /// error.
  public var timeLimit = Duration.seconds(1)

  /// A query for lines that match one of these patterns, with the defaults.
  public init(_ patterns: String...) { self.patterns = patterns }

  /// A query for lines that match one of these patterns, with the defaults.
  package init(patterns: [String]) { self.patterns = patterns }

  /// The first pattern that contains a line break, such as `a\nb`: without ``isMultiline`` it cannot match, and searching for it
  /// is an error.
  public var patternAskingForLineBreak: String? {
    var options = PatternOptions()
    options.isLiteral = isLiteral
    return patterns.first { LinePatternText($0, options).asksForNewline }
  }

  /// Whether letters match in either case, which with ``LetterCase/smart`` depends on the patterns.
  package var ignoresCase: Bool {
    guard letterCase == .smart else { return letterCase == .insensitive }
    var options = PatternOptions()
    options.isLiteral = isLiteral
    return LinePatternText.ignoreCase(patterns.map { LinePatternText($0, options) })
  }
}

/// The error for a pattern that contains a line break in a query whose matches end with their line.
package struct LineQueryError: Error, Hashable, CustomStringConvertible {
  /// The pattern.
  package let pattern: String

  /// The fault in words, with the pattern.
  package var description: String {
    "the pattern \"\(pattern)\" asks for a line break, and matches end with their line"
  }
}
