/// What can be said of every match of a regular expression without matching anything.
///
/// ```swift
/// let analysis = PatternAnalysis(#"spin_(un)?lock_irq\w+"#)
/// analysis.trigrams           // what a text must hold, for a pattern index
/// analysis.requiredLiteral    // "lock_irq", for a search before the match
/// analysis.isLineSafe         // true: all lines that match are found in one go over the text
/// ```
///
/// The expression is one that ``Pattern`` takes. Where it uses something rare, nothing is known: ``trigrams`` is `ALL`.
///
/// - Complexity: O(n) for a pattern of n characters in bounded memory; the first 256 Ki are looked at, of longer ones nothing is known.
public struct PatternAnalysis: Sendable {
  /// What the trigrams of a text with a match are like.
  public let trigrams: TrigramQuery
  /// The longest string found that every match holds byte for byte, at most 256 bytes of it. Empty if there is none, as for
  /// letters that match in either case.
  public let requiredLiteral: [UInt8]
  /// Whether a match, or what it looks at before and behind, may hold U+000A.
  public let canMatchNewline: Bool
  /// Whether a search of a whole text with ``PatternOptions/isMultiline`` finds a match in, or beginning in, every line that
  /// matches on its own without its line end. Not every line so found needs to match on its own.
  ///
  /// True of expressions without lookaround, `\A`, `\z`, `\Z`, `\G`, `\K`, `\R`, `\X`, atomic groups, possessive quantifiers,
  /// references, calls, conditions, verbs and `(?-m)`.
  public let isLineSafe: Bool
  /// Whether U+000A stands for itself in it, however it is written: in no class, and not in what must not follow or precede.
  public let asksForNewline: Bool
  /// Whether a character is written in it, in a class or not: `\w+` has none.
  public let holdsLiteral: Bool
  /// Whether one of the characters that are written in it is upper case.
  public let holdsUpperCase: Bool
  /// The options in front of it, such as `(*UCP)`, which are such only at the beginning of an expression.
  public let startOptions: String
  /// What must stand behind the expression so that text behind it is read as an expression again: `\E` where a quotation is open,
  /// a line break where a comment may be. Nil where that is not known.
  public let terminator: String?
  /// The expression without U+000A in the character classes, `.` and escapes such as `\s` that match it. In text without line
  /// breaks it has the same matches, and in longer text no match reaches across a line break, if ``isLineSafe`` is true and
  /// ``asksForNewline`` false.
  public let withoutNewlines: String
  /// Whether a search may be divided by the places where matches begin. `\G`, `(*SKIP)` and `(*COMMIT)` would notice.
  let isDivisible: Bool
  /// Whether anything in it stands for many characters by what they are, such as `\w`, or for what lies between them, such as
  /// `\b`.
  let usesCharacterClasses: Bool
  /// How every match begins, byte for byte.
  let literalHead: [UInt8]

  /// Longer patterns are not looked at. PCRE2 as most systems have it takes no more than 64 KiB of compiled pattern.
  private static let maximumLength = 1 << 18

  /// Looks at an expression.
  public init(_ pattern: String, options: PatternOptions = PatternOptions()) {
    var reader = PatternReader(pattern.utf8.count <= PatternAnalysis.maximumLength ? pattern : "")
    let flags = PatternReader.Flags(
      ignoresCase: options.ignoresCase, dotMatchesNewlines: options.dotMatchesNewlines, isExtended: options.isExtended)
    let facts = try? options.isLiteral ? reader.literal(flags) : reader.pattern(flags)
    let isUnderstood = facts != nil && pattern.utf8.count <= PatternAnalysis.maximumLength
    let known = isUnderstood ? facts ?? .empty : .unknown(mayHoldNewline: true)
    trigrams = known.settled
    requiredLiteral = known.literal.best
    literalHead = known.literal.head
    canMatchNewline = known.mayHoldNewline
    isLineSafe = isUnderstood && reader.isLineSafe
    usesCharacterClasses = !isUnderstood || reader.usesCharacterClasses
    asksForNewline = reader.asksForNewline
    startOptions = reader.startOptionsText
    (holdsLiteral, holdsUpperCase) = (reader.holdsLiteral, reader.holdsUpperCase)
    isDivisible = reader.isDivisible && pattern.utf8.count <= PatternAnalysis.maximumLength
    terminator = isUnderstood ? reader.terminator : nil
    withoutNewlines = isUnderstood && !reader.newlineEdits.isEmpty ? reader.withoutNewlines : pattern
  }
}

extension TrigramQuery {
  /// What a text must hold for a regular expression to match it.
  public init(pattern: String, options: PatternOptions = PatternOptions()) {
    self = PatternAnalysis(pattern, options: options).trigrams
  }

  /// What a text must hold to contain a string.
  ///
  /// - Parameter ignoresCase: whether letters match in either case, as in ``PatternOptions/ignoresCase``.
  public init(literal: String, ignoresCase: Bool = false) {
    var options = PatternOptions()
    options.isLiteral = true
    options.ignoresCase = ignoresCase
    self.init(pattern: literal, options: options)
  }
}
