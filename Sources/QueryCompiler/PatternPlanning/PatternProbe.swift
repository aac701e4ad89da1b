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
  public func trigrams(_ parameters: [String: JSONValue]) -> TrigramQuery? {
    let pattern: String
    switch text {
    case .literal(let text): pattern = text
    case .parameter(let name):
      guard case .string(let text)? = parameters[name] else { return nil }
      pattern = text
    }
    switch kind {
    case .regularExpression: return TrigramQuery(pattern: pattern)
    case .like(let folding): return TrigramQuery(like: LikePattern(pattern), folding: folding)
    case .literal: return TrigramQuery(literal: pattern)
    }
  }
}
