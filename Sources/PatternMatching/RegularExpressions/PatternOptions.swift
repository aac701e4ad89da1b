/// How a regular expression is read, and how much work a match may be.
public struct PatternOptions: Hashable, Sendable {
  /// Whether letters match in either case, by Unicode's simple case folding.
  public var ignoresCase = false
  /// Whether `^` and `$` match at line ends, too.
  public var isMultiline = false
  /// Whether `.` matches a newline.
  public var dotMatchesNewlines = false
  /// Whether spaces in the pattern do not count, and `#` begins a comment that ends with the line.
  public var isExtended = false
  /// Whether the pattern is text to be found as it stands.
  public var isLiteral = false
  /// Whether bytes that every match holds are looked for before anything is matched. Matches are the same without; it is for
  /// tests and measurements.
  public var usesPrefilter = true
  /// What a match may cost.
  public var limits = Limits()

  /// What a match may cost at most; pcre2api(3), "The match context".
  public struct Limits: Hashable, Sendable {
    /// How often matching may backtrack from one place. The compiled code counts less finely than the interpreter.
    public var match: UInt32 = 10_000_000
    /// How long all matches in one text may keep a processor. It is looked at now and then, so it may take somewhat longer.
    public var time = Duration.seconds(1)
    /// How deep backtracking may go. The compiled code does not count this; its stack limits it.
    public var depth: UInt32 = 100_000
    /// Memory for backtracking, in KiB, of the interpreter, and of the stack of the compiled code, at least 1 MiB.
    public var heap: UInt32 = 65_536
    /// Whether patterns are compiled to machine code where PCRE2 can: several times faster.
    public var usesJIT = true

    /// The usual limits.
    public init() {}
  }

  /// Case-sensitive, single line, with the usual limits.
  public init() {}

  /// The options that letters stand for, as in other languages: `i` ignores case, `m` lets `^` and `$` match at lines, `s` lets
  /// `.` match newlines, `x` allows spaces and comments. `u`, Unicode, is always on.
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
