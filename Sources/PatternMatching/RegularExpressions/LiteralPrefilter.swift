/// Required literal bytes that are searched for before a regular expression is tried, if this is faster.
struct LiteralPrefilter {
  /// The bytes.
  let literal: [UInt8]
  /// Whether a match is always on the same line as the literal, so that only lines that contain it need to be tried.
  let marksMatchStart: Bool

  /// Returns nil if a prefilter would not be faster: if the literal has fewer than three bytes, because it is too
  /// common, or if every match begins with a literal of two bytes or more, because PCRE2 searches for it itself.
  init?(_ analysis: PatternAnalysis) {
    guard analysis.requiredLiteral.count >= 3, analysis.literalHead.count < 2 else { return nil }
    literal = analysis.requiredLiteral
    marksMatchStart = !analysis.canMatchNewline
  }
}
