public import JSONText
public import PatternMatching
public import TextIndex

/// A question to a pattern index: which documents a condition with a pattern may be true of.
public struct PatternProbe: Sendable {
  /// How the condition reads its pattern.
  enum Kind: Sendable {
    case regularExpression
    case like(TrigramQuery.LikeFolding)
    /// A text to be found as it stands.
    case literal
  }

  /// Where the pattern comes from.
  enum Text: Sendable {
    case literal(String)
    case parameter(String)
  }

  /// The index.
  public let index: PatternIndex
  /// The condition, in SQL++.
  public let condition: String
  let kind: Kind
  let text: Text

  /// What the trigrams of a document must be like for the condition to be true of it; nil where the pattern is not known: a
  /// parameter without a value, or with one that is no string.
  ///
  /// - Returns: the trigrams, and whether they stand in one line.
  public func trigrams(_ parameters: [String: JSONValue]) -> (query: TrigramQuery, isWithinLines: Bool)? {
    let pattern: String
    switch text {
    case .literal(let text): pattern = text
    case .parameter(let name):
      guard case .string(let text)? = parameters[name] else { return nil }
      pattern = text
    }
    switch kind {
    case .regularExpression:
      let analysis = PatternAnalysis(pattern)
      return (analysis.trigrams, !analysis.canMatchNewline)
    case .like(let folding):
      let like = LikePattern(pattern)
      // What stands between wildcards may be lines apart.
      let literalCount = like.tokens.count { if case .literal = $0 { true } else { false } }
      return (TrigramQuery(like: like, folding: folding), literalCount == 1 && !pattern.utf8.contains(0x0A))
    case .literal: return (TrigramQuery(literal: pattern), !pattern.utf8.contains(0x0A))
    }
  }
}
