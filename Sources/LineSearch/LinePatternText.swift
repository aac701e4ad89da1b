import PatternMatching

/// One pattern of a query, and what is known of it.
struct LinePatternText {
  let text: String
  /// Whether every character stands for itself.
  let isPlain: Bool
  /// The pattern without the line break in its character classes. On a single line it has the same matches.
  let searched: String
  /// Whether a match may hold a line break.
  let canMatchNewline: Bool
  /// Whether a search of all of a text finds every line that matches by itself.
  let isLineSafe: Bool
  /// Whether a line break stands for itself in it.
  let asksForNewline: Bool
  /// What must stand behind it so that it is closed; nil where that is to be tried.
  let terminator: String?
  /// Options that stand in front of it.
  let startOptions: String
  private let holdsLiteral: Bool
  private let holdsUpperCase: Bool

  /// Looks at a pattern.
  init(_ text: String, _ options: PatternOptions) {
    self.text = text
    isPlain = options.isLiteral || !text.utf8.contains { LinePatternText.metacharacters.contains($0) }
    guard !isPlain else {
      let holdsNewline = text.utf8.contains(0x0A)
      (canMatchNewline, asksForNewline) = (holdsNewline, holdsNewline)
      (searched, terminator, startOptions) = (text, "", "")
      isLineSafe = true
      holdsLiteral = !text.isEmpty
      holdsUpperCase = text.unicodeScalars.contains(where: \.properties.isUppercase)
      return
    }
    let analysis = PatternAnalysis(text, options: options)
    searched = analysis.withoutNewlines
    canMatchNewline = analysis.canMatchNewline
    isLineSafe = analysis.isLineSafe
    asksForNewline = analysis.asksForNewline
    terminator = analysis.terminator
    startOptions = analysis.startOptions
    holdsLiteral = analysis.holdsLiteral
    holdsUpperCase = analysis.holdsUpperCase
  }

  private static let metacharacters = Set(#"\^$.[]|()?*+{}"#.utf8)

  /// Whether letters match in either case where that depends on the patterns.
  static func ignoreCase(_ texts: [LinePatternText]) -> Bool {
    texts.contains(where: \.holdsLiteral) && !texts.contains(where: \.holdsUpperCase)
  }
}
