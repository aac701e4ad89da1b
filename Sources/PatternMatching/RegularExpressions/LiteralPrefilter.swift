/// What to look for before a regular expression is tried, where that is faster: bytes that every match holds.
struct LiteralPrefilter {
  /// The bytes.
  let literal: [UInt8]
  /// Whether a match stands in one line with them, so that only lines with them need to be tried.
  let marksPlaces: Bool

  /// Nil where it would not pay: bytes that stand everywhere, and those that a match begins with, which PCRE2 looks for itself.
  init?(_ analysis: PatternAnalysis) {
    guard analysis.requiredLiteral.count >= 3, analysis.literalHead.count < 2 else { return nil }
    literal = analysis.requiredLiteral
    marksPlaces = !analysis.canMatchNewline
  }
}
