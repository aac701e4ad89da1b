/// Options for parsing and matching a regular expression.
public struct PatternOptions: Hashable, Sendable {
  /// Whether letters match in either case, by Unicode's simple case folding.
  public var ignoresCase = false
  /// Whether `^` and `$` also match at line ends.
  public var isMultiline = false
  /// Whether `.` matches a newline.
  public var dotMatchesNewlines = false
  /// Whether spaces in the pattern are ignored, and `#` begins a comment that ends with the line.
  public var isExtended = false
  /// Whether the pattern is literal text.
  public var isLiteral = false
  /// Whether a literal that every match contains is searched for before matching. This does not change the matches;
  /// tests and benchmarks turn it off.
  public var usesPrefilter = true
  /// The limits of a match.
  public var limits = Limits()

  /// The limits of a match; see pcre2api(3), "The match context".
  public struct Limits: Hashable, Sendable {
    /// The number of times matching may backtrack from one offset. The JIT counts fewer steps than the interpreter.
    public var match: UInt32 = 10_000_000
    /// The processor time that all matches in one text may take. It is checked at intervals, so it may be exceeded
    /// slightly.
    public var time = Duration.seconds(1)
    /// The maximum backtracking depth. The JIT ignores it and is limited by the size of its stack.
    public var depth: UInt32 = 100_000
    /// The memory for backtracking in KiB: the heap of the interpreter, and the stack of the JIT, which is at least 1
    /// MiB.
    public var heap: UInt32 = 65_536
    /// Whether patterns are compiled to machine code if PCRE2 supports it. Matching is then several times faster.
    public var usesJIT = true

    /// Creates the default limits.
    public init() {}
  }

  /// Creates the default options: case-sensitive, single line, with the default limits.
  public init() {}

  /// Creates options from the flags that other languages use: `i` ignores case, `m` lets `^` and `$` match at line
  /// ends, `s` lets `.` match newlines, `x` allows spaces and comments. `u`, Unicode, is always on.
  ///
  /// ```swift
  /// try PatternOptions(flags: "im").isMultiline   // true
  /// ```
  ///
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/unknownFlag(_:)`` for other letters.
  public init(flags: String) throws(PatternError) {
    for flag in flags {
      switch flag {
      case "i": ignoresCase = true
      case "m": isMultiline = true
      case "s": dotMatchesNewlines = true
      case "x": isExtended = true
      case "u": continue
      default: throw PatternError(kind: .unknownFlag(flag), pattern: flags, reason: "unknown flag")
      }
    }
  }
}
