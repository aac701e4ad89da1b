public import JSONText
public import PatternMatching
public import QueryModel
public import TrigramIndex

/// A lookup in a pattern index: the documents for which a condition with a pattern may be true.
public struct PatternProbe: Sendable {
  /// The kind of the pattern.
  enum Kind: Sendable {
    case regularExpression(flags: Text)
    case like(TrigramQuery.LikeFolding)
    /// Literal text.
    case literal
  }

  /// The source of the pattern.
  enum Text: Sendable {
    case literal(String)
    case parameter(String)

    /// Returns the text; nil for a parameter that is unset or not a string.
    func value(_ parameters: [ExactString: JSONValue]) -> String? {
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
  /// The resolved condition on the document: the condition with the pattern, or the outermost ANY that contains it.
  public let test: QueryExpression
  let kind: Kind
  let text: Text
  /// The property that the condition tests.
  let path: PropertyPath

  /// Returns the trigram query that a document must match for the condition to be true; nil if the pattern is a
  /// parameter that is unset or not a string.
  ///
  /// - Returns: the trigram query, and whether all its trigrams must be on one line.
  public func trigrams(_ parameters: [ExactString: JSONValue]) -> (query: TrigramQuery, isWithinLines: Bool)? {
    guard let pattern = text.value(parameters) else { return nil }
    switch kind {
    case .regularExpression(let flags):
      // Invalid flags are reported when the first string is matched.
      guard let flags = flags.value(parameters), let options = try? PatternOptions(flags: flags) else { return nil }
      let analysis = PatternAnalysis(pattern, options: options)
      return (analysis.trigrams, !analysis.canMatchNewline)
    case .like(let folding):
      let like = LikePattern(pattern)
      // Literals that are separated by wildcards may be on different lines.
      let literalCount = like.tokens.count { if case .literal = $0 { true } else { false } }
      return (TrigramQuery(like: like, folding: folding), literalCount == 1 && !pattern.utf8.contains(0x0A))
    case .literal: return (TrigramQuery(literal: pattern), !pattern.utf8.contains(0x0A))
    }
  }
}
