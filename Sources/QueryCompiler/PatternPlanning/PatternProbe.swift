public import JSONText
public import PatternMatching
public import QueryModel
public import TrigramIndex

/// A question to a pattern index: which documents a condition with a pattern may be true of.
public struct PatternProbe: Sendable {
  /// How the condition reads its pattern.
  enum Kind: Sendable {
    case regularExpression(flags: Text)
    case like(TrigramQuery.LikeFolding)
    /// A text to be found as it stands.
    case literal
  }

  /// Where the pattern comes from.
  enum Text: Sendable {
    case literal(String)
    case parameter(String)

    /// The text; nil for a parameter without a value, or with one that is no string.
    func value(_ parameters: [String: JSONValue]) -> String? {
      switch self {
      case .literal(let text): return text
      case .parameter(let name):
        guard case .string(let text)? = parameters[name] else { return nil }
        return text
      }
    }
  }

  /// The index.
  public let index: StoredPatternIndex
  /// The condition, in SQL++.
  public let condition: String
  /// What is true or not of a document: the condition, or the ANY around it. Its names are resolved.
  public let test: QueryExpression
  let kind: Kind
  let text: Text
  /// The property that the condition is on.
  let path: PropertyPath

  /// What the trigrams of a document must be like for the condition to be true of it; nil where the pattern is not known: a
  /// parameter without a value, or with one that is no string.
  ///
  /// - Returns: the trigrams, and whether they stand in one line.
  public func trigrams(_ parameters: [String: JSONValue]) -> (query: TrigramQuery, isWithinLines: Bool)? {
    guard let pattern = text.value(parameters) else { return nil }
    switch kind {
    case .regularExpression(let flags):
      // Flags that are none are an error when the first text is matched.
      guard let flags = flags.value(parameters), let options = try? PatternOptions(flags: flags) else { return nil }
      let analysis = PatternAnalysis(pattern, options: options)
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
