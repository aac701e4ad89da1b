import PatternMatching

/// One pattern of a query and its properties.
struct LinePatternText {
  let text: String
  /// Whether the pattern is literal text.
  let isPlain: Bool
  /// The pattern with the line break excluded from its character classes. On a single line it has the same matches.
  let searched: String
  /// Whether a match may contain a line break.
  let canMatchNewline: Bool
  /// Whether a search of the whole text finds every line that matches when it is searched on its own.
  let isLineSafe: Bool
  /// Whether the pattern contains a literal line break.
  let requiresNewline: Bool
  /// Whether the pattern has, or may have, references to groups or calls of them.
  let hasReferences: Bool
  /// The text that closes a `\Q` quotation or a comment that is open at the end of the pattern; nil if it is unknown.
  let terminator: String?
  /// The options at the start of the pattern.
  let startOptions: String
  private let containsLiteral: Bool
  private let containsUppercase: Bool

  /// Analyzes a pattern.
  init(_ text: String, _ options: PatternOptions) {
    self.text = text
    isPlain = options.isLiteral || !text.utf8.contains { LinePatternText.metacharacters.contains($0) }
    guard !isPlain else {
      let containsNewline = text.utf8.contains(0x0A)
      (canMatchNewline, requiresNewline) = (containsNewline, containsNewline)
      (searched, terminator, startOptions) = (text, "", "")
      (isLineSafe, hasReferences) = (true, false)
      containsLiteral = !text.isEmpty
      containsUppercase = text.unicodeScalars.contains(where: \.properties.isUppercase)
      return
    }
    let analysis = PatternAnalysis(text, options: options)
    searched = analysis.withoutNewlines
    canMatchNewline = analysis.canMatchNewline
    isLineSafe = analysis.isLineSafe
    requiresNewline = analysis.requiresNewline
    hasReferences = analysis.hasReferences
    terminator = analysis.terminator
    startOptions = analysis.startOptions
    containsLiteral = analysis.containsLiteral
    containsUppercase = analysis.containsUppercase
  }

  private static let metacharacters = Set(#"\^$.[]|()?*+{}"#.utf8)

  /// Returns whether matching ignores case with ``LineQuery/LetterCase/smart``.
  static func ignoreCase(_ texts: [LinePatternText]) -> Bool {
    texts.contains(where: \.containsLiteral) && !texts.contains(where: \.containsUppercase)
  }
}
