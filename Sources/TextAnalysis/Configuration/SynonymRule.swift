/// A rule that makes a query accept synonyms of its words.
///
/// ```swift
/// try SynonymRule("tv, television, goggle box")   // each finds the others
/// try SynonymRule("laptop => notebook, portable") // laptop also finds these, not the other way round
/// ```
///
/// An entry may consist of several words. A query keeps the words of the user and adds the synonyms, so a rule never
/// removes a hit. Rules apply when a query is analyzed, so changing them does not require rebuilding the index.
///
/// In JSON, a rule is a string (its text form) or an object with either `group` or `from` and `to`, which are arrays of
/// strings. In an object, entries may contain commas. Rules are encoded as objects.
public enum SynonymRule: Hashable, Sendable {
  /// Two-way: each entry also finds all others.
  case group([String])
  /// One-way: each entry of `from` also finds every entry of `to`.
  case oneWay(from: [String], to: [String])

  /// Parses `a, b, c` (two-way) or `a, b => c, d` (one-way).
  ///
  /// - Throws: ``AnalyzerError/invalidSynonymRule(_:reason:)`` if an entry is empty, if a group has fewer than two
  ///   entries, or if there is more than one arrow.
  public init(_ text: String) throws {
    let sides = text.split(separator: "=>", omittingEmptySubsequences: false).map(Self.entries)
    guard sides.allSatisfy({ !$0.contains("") }) else {
      throw AnalyzerError.invalidSynonymRule(text, reason: "an entry is empty")
    }
    switch sides.count {
    case 1:
      guard sides[0].count > 1 else {
        throw AnalyzerError.invalidSynonymRule(text, reason: "a group needs two entries")
      }
      self = .group(sides[0])
    case 2: self = .oneWay(from: sides[0], to: sides[1])
    default: throw AnalyzerError.invalidSynonymRule(text, reason: "there is more than one =>")
    }
  }

  private static func entries(_ side: Substring) -> [String] {
    side.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension SynonymRule: Codable {
  private enum CodingKeys: String, CodingKey { case group, from, to }

  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let group = try container.decodeIfPresent([String].self, forKey: .group) {
      self = .group(group)
    } else {
      self = .oneWay(
        from: try container.decode([String].self, forKey: .from),
        to: try container.decode([String].self, forKey: .to))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .group(let entries): try container.encode(entries, forKey: .group)
    case .oneWay(let from, let to):
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
    }
  }
}
