/// Properties of every match of a regular expression, derived without matching.
///
/// ```swift
/// let analysis = PatternAnalysis(#"spin_(un)?lock_irq\w+"#)
/// analysis.trigrams           // the required trigrams, for a pattern index
/// analysis.requiredLiteral    // "lock_irq", for a search before the match
/// analysis.isLineSafe         // true: one pass over the text finds every matching line
/// ```
///
/// The expression must be one that ``Pattern`` accepts. If it uses a construct that the analysis does not support, the
/// properties are unknown: ``trigrams`` is `ALL`.
///
/// - Complexity: O(n) for a pattern of n bytes, in bounded memory. Patterns longer than 256 KiB are not analyzed.
public struct PatternAnalysis: Sendable {
  /// The trigram query that every text with a match satisfies.
  public let trigrams: TrigramQuery
  /// The longest known literal that every match contains, limited to 256 bytes. Empty if there is none, for example if
  /// letters match in either case.
  public let requiredLiteral: [UInt8]
  /// Whether a match, or the text that its assertions examine, may contain U+000A.
  public let canMatchNewline: Bool
  /// Whether a search of a whole text with ``PatternOptions/isMultiline`` finds every line that matches as a separate
  /// text, without its line end: each such line contains a match, or a match begins in it. A line found this way does
  /// not always match as a separate text.
  ///
  /// True for expressions without lookaround, `\A`, `\z`, `\Z`, `\G`, `\K`, `\R`, `\X`, atomic groups, possessive
  /// quantifiers, `\10` and higher, calls, conditions, verbs and `(?-m)`.
  public let isLineSafe: Bool
  /// Whether the expression contains a literal U+000A in any notation, outside character classes and negative
  /// assertions.
  public let requiresNewline: Bool
  /// Whether the expression contains a literal character, in a class or not: `\w+` does not.
  public let containsLiteral: Bool
  /// Whether a literal character of the expression is upper case.
  public let containsUppercase: Bool
  /// The options at the start of the expression, such as `(*UCP)`. They are valid only there.
  public let startOptions: String
  /// The text to append so that text after the expression is parsed as an expression again: `\E` if a quotation (`\Q`)
  /// is open, a line break if a comment may be open. Nil if it is unknown.
  public let terminator: String?
  /// The expression with U+000A excluded from the character classes, `.` and escapes such as `\s` that match it. In
  /// text without line breaks, it has the same matches. In other text, no match crosses a line break if ``isLineSafe``
  /// is true and ``requiresNewline`` is false.
  public let withoutNewlines: String
  /// The expression without its lookarounds. If its analysis ``isLineSafe``, it matches at every offset at which the
  /// expression matches, and possibly at others. Nil if there are no lookarounds, or if the expression has references,
  /// which may refer to groups in lookarounds.
  public let withoutLookarounds: String?
  /// Whether the expression has references to groups or calls of them, or may have some because it could not be
  /// analyzed. Their meaning changes if the expression becomes a part of another one.
  package let hasReferences: Bool
  /// Whether a search may be split into ranges of start offsets of matches. `\G`, `(*SKIP)` and `(*COMMIT)` prevent it.
  let isDivisible: Bool
  /// Whether the expression contains a character class such as `\w`, or an assertion on classes such as `\b`.
  let usesCharacterClasses: Bool
  /// The literal prefix of every match; empty if there is none.
  let literalHead: [UInt8]

  /// The maximum length, in bytes, of a pattern that is analyzed. PCRE2 usually limits a compiled pattern to 64 KiB.
  private static let maximumLength = 1 << 18

  /// Analyzes an expression.
  public init(_ pattern: String, options: PatternOptions = PatternOptions()) {
    var reader = PatternReader(pattern.utf8.count <= PatternAnalysis.maximumLength ? pattern : "")
    let flags = PatternReader.Flags(
      ignoresCase: options.ignoresCase, dotMatchesNewlines: options.dotMatchesNewlines, isExtended: options.isExtended)
    let info = try? options.isLiteral ? reader.literal(flags) : reader.pattern(flags)
    let isAnalyzed = info != nil && pattern.utf8.count <= PatternAnalysis.maximumLength
    let known = isAnalyzed ? info ?? .empty : .unknown(mayContainNewline: true)
    trigrams = known.settled
    requiredLiteral = known.literal.best
    literalHead = known.literal.head
    canMatchNewline = known.mayContainNewline
    isLineSafe = isAnalyzed && reader.isLineSafe
    usesCharacterClasses = !isAnalyzed || reader.usesCharacterClasses
    requiresNewline = reader.requiresNewline
    startOptions = reader.startOptionsText
    (containsLiteral, containsUppercase) = (reader.containsLiteral, reader.containsUppercase)
    withoutLookarounds =
      isAnalyzed && !reader.lookarounds.isEmpty && !reader.hasReferences ? reader.withoutLookarounds : nil
    hasReferences = !isAnalyzed || reader.hasReferences
    isDivisible = reader.isDivisible && pattern.utf8.count <= PatternAnalysis.maximumLength
    terminator = isAnalyzed ? reader.terminator : nil
    withoutNewlines = isAnalyzed && !reader.newlineEdits.isEmpty ? reader.withoutNewlines : pattern
  }
}

extension TrigramQuery {
  /// Creates the query satisfied by every text that contains a match of a regular expression.
  public init(pattern: String, options: PatternOptions = PatternOptions()) {
    self = PatternAnalysis(pattern, options: options).trigrams
  }

  /// Creates the query satisfied by every text that contains a string.
  ///
  /// - Parameter ignoresCase: whether letters match in either case, as in ``PatternOptions/ignoresCase``.
  public init(literal: String, ignoresCase: Bool = false) {
    var options = PatternOptions()
    options.isLiteral = true
    options.ignoresCase = ignoresCase
    self.init(pattern: literal, options: options)
  }
}
