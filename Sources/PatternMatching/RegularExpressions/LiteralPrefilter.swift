/// Required literal bytes that are searched for before a regular expression is tried, if that is faster.
struct LiteralPrefilter {
  /// The bytes.
  let literal: [UInt8]
  /// Whether a match is on one line with the literal, so that only lines that contain it need to be tried.
  let marksMatchStart: Bool

  /// Returns nil if the prefilter would not pay: for bytes that are too common, and for the prefix of a match, which
  /// PCRE2 searches for itself.
  init?(_ analysis: PatternAnalysis) {
    guard analysis.requiredLiteral.count >= 3, analysis.literalHead.count < 2 else { return nil }
    literal = analysis.requiredLiteral
    marksMatchStart = !analysis.canMatchNewline
  }
}
