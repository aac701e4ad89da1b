/// How well a document matches: BM25F, Okapi's BM25 for documents of several fields.
///
/// The score of a document d for the terms t of a query is
///
/// ```
/// Σ idf(t) · (k1 + 1) · f / (k1 + f)          f = Σ weight(c) · frequency(t, d, c) / (1 − b + b · length(d, c) / average(c))
/// idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
/// ```
///
/// where c runs over the fields, lengths are counted in terms, `average` is the mean length of a field over all
/// documents, N the number of documents and n of those that hold t. A phrase, or all words with a prefix, count as one
/// term. See Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), 3.1 and 3.6; the
/// 1 in the logarithm keeps words in more than half of the documents above 0, as in Lucene.
///
/// ```swift
/// var ranking = Ranking()
/// ranking.b = 0.3                     // documents of very different length
/// ranking.weights = ["title": 2]
/// ```
public struct Ranking: Hashable, Sendable {
  /// Which of two formulas.
  public enum Formula: Hashable, Sendable {
    /// As above.
    case bm25f
    /// That of FTS5's `bm25()`, digit by digit: one length for all fields of a document, and
    /// `idf = ln((N − n + 0.5) / (n + 0.5))`, but at least 0.000001. For comparisons.
    case fts5
  }

  /// BM25's k1: how quickly repeated occurrences of a term stop raising the score. From 0 (immediately) to 1000;
  /// usually 1.2 to 2.
  public var k1 = 1.2
  /// How much the length of a text counts against it: from 0, not at all, to 1.
  public var b = 0.75
  /// Factors by name of field; 1 for those that are not named.
  public var weights: [String: Double] = [:]
  /// The formula.
  public var formula = Formula.bm25f

  /// The usual values.
  public init() {}

  /// The usual values with these weights.
  public init(weights: [String: Double]) { self.weights = weights }
}

extension Ranking {
  /// This ranking with what a search says of it; nil and unnamed fields stay as they are.
  public func overridden(k1: Double?, b: Double?, weights: [String: Double]) -> Ranking {
    var ranking = self
    if let k1 { ranking.k1 = k1 }
    if let b { ranking.b = b }
    ranking.weights.merge(weights) { $1 }
    return ranking
  }
}

/// The form stored in the definition of an index: without ``Ranking/formula``, which is for comparisons.
extension Ranking: Codable {
  private enum Key: String, CodingKey {
    case k1, b, weights
  }

  /// Reads a ranking; missing values have their defaults.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(weights: try container.decodeIfPresent([String: Double].self, forKey: .weights) ?? [:])
    k1 = try container.decodeIfPresent(Double.self, forKey: .k1) ?? k1
    b = try container.decodeIfPresent(Double.self, forKey: .b) ?? b
  }

  /// Writes the ranking.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(k1, forKey: .k1)
    try container.encode(b, forKey: .b)
    if !weights.isEmpty { try container.encode(weights, forKey: .weights) }
  }
}

/// A ranking whose fields are columns of an index.
struct ResolvedRanking: Hashable, Sendable {
  let k1: Double
  let b: Double
  let weights: [Double]
  let formula: Ranking.Formula

  /// Checks a ranking.
  ///
  /// - Throws: ``TextIndexError`` for an unknown field, or a number that is out of its range.
  init(_ ranking: Ranking, for index: StoredFullTextIndex) throws {
    try self.init(ranking, fields: index.definition.fields.map(\.name), of: "the index \"\(index.name)\"")
  }

  /// Checks a ranking of an index with these fields, which errors call `owner`.
  init(_ ranking: Ranking, fields: [String], of owner: String) throws {
    guard (0...1000).contains(ranking.k1) else {
      throw TextIndexError(badRanking: "k1 of the ranking is \(ranking.k1); it must be from 0 to 1000")
    }
    guard (0...1).contains(ranking.b) else {
      throw TextIndexError(badRanking: "b of the ranking is \(ranking.b); it must be from 0 to 1")
    }
    k1 = ranking.k1
    b = ranking.b
    formula = ranking.formula
    var values = Array(repeating: 1.0, count: fields.count)
    for (name, weight) in ranking.weights.sorted(by: { $0.key < $1.key }) {
      guard let column = fields.firstIndex(of: name) else {
        throw TextIndexError(unknownField: name, of: owner, among: fields)
      }
      guard ResolvedRanking.weights.contains(weight) else {
        throw TextIndexError(
          badWeight: "the weight of the field \"\(name)\" is \(weight); it must be from 0.001 to 1000000")
      }
      values[column] = weight
    }
    weights = values
  }

  /// For how many rankings what was computed for the last ones is kept.
  static let keptCount = 4

  /// Numbers that Swift writes without an exponent, which FTS5 does not read.
  private static let weights = 0.001...1_000_000.0
}
