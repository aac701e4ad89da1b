/// The ranking of documents: a model and its parameters.
///
/// The default is BM25F, Okapi BM25 for documents with several fields; ``RankingModel`` lists the formulas of the other
/// models. The score of a document d for the terms t of a query is
///
/// ```
/// Σ idf(t) · (k1 + 1) · f / (k1 + f)
/// f = Σ weight(c) · frequency(t, d, c) / (1 − b + b · length(d, c) / average(c))
/// idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
/// ```
///
/// where c runs over the fields, lengths are counted in terms, `average` is the mean length of a field over all
/// documents, N is the number of documents, and n is the number of documents that contain t. A phrase counts as one
/// term, as do all words with a prefix. See Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
/// Beyond" (2009), 3.1 and 3.6; the 1 in the logarithm keeps the idf of words in more than half of the documents
/// positive, as in Lucene.
///
/// ```swift
/// var ranking = Ranking()
/// ranking.b = 0.3                     // documents of very different lengths
/// ranking.weights = ["title": 2]
/// ```
public struct Ranking: Hashable, Sendable {
  /// The formulas of BM25.
  public enum Formula: Hashable, Sendable {
    /// The formula above.
    case bm25f
    /// The formula of FTS5's `bm25()`, for comparisons; scores agree with FTS5's except for rounding. A document
    /// has one length for all fields, and `idf = ln((N − n + 0.5) / (n + 0.5))`, but at least 0.000001.
    case fts5
  }

  /// BM25's k1: how quickly repeated occurrences of a term stop raising the score. From 0 (immediately) to 1000;
  /// usually 1.2 to 2.
  public var k1 = 1.2
  /// BM25's b: how much the length of a field lowers the score, from 0 (not at all) to 1.
  public var b = 0.75
  /// The model. ``k1`` and ``b`` apply only to BM25.
  public var model = RankingModel.bm25
  /// The weights of fields by name; 1 for all others.
  public var weights: [String: Double] = [:]
  /// The formula of BM25.
  public var formula = Formula.bm25f

  /// Creates a ranking with the default values.
  public init() {}

  /// Creates a ranking with the default values and the weights of fields by name.
  public init(weights: [String: Double]) { self.weights = weights }
}

extension Ranking {
  /// Returns this ranking with the settings of a search. Settings that are nil, and weights of other fields, are kept.
  public func overridden(
    model: RankingModel? = nil, k1: Double?, b: Double?, weights: [String: Double]
  ) -> Ranking {
    var ranking = self
    if let model { ranking.model = model }
    if let k1 { ranking.k1 = k1 }
    if let b { ranking.b = b }
    ranking.weights.merge(weights) { $1 }
    return ranking
  }
}

/// The form stored in the definition of an index: without ``Ranking/formula``, which is only for comparisons.
extension Ranking: Codable {
  private enum Key: String, CodingKey {
    case k1, b, weights, model
  }

  /// Decodes a ranking, with the defaults for missing values. Throws `DecodingError` for a value of another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(weights: try container.decodeIfPresent([String: Double].self, forKey: .weights) ?? [:])
    k1 = try container.decodeIfPresent(Double.self, forKey: .k1) ?? k1
    b = try container.decodeIfPresent(Double.self, forKey: .b) ?? b
    model = try container.decodeIfPresent(RankingModel.self, forKey: .model) ?? model
  }

  /// Encodes the ranking, without default weights and model.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(k1, forKey: .k1)
    try container.encode(b, forKey: .b)
    if !weights.isEmpty { try container.encode(weights, forKey: .weights) }
    if model != .bm25 { try container.encode(model, forKey: .model) }
  }
}

/// A ranking whose fields are columns of an index.
package struct ResolvedRanking: Hashable, Sendable {
  let k1: Double
  let b: Double
  let weights: [Double]
  let formula: Ranking.Formula
  let model: RankingModel

  /// Checks a ranking.
  ///
  /// - Throws: ``TextIndexError`` for an unknown field or a number out of range.
  package init(_ ranking: Ranking, for index: StoredFullTextIndex) throws {
    try self.init(ranking, fields: index.definition.fields.map(\.name), of: "the index \"\(index.name)\"")
  }

  /// Checks a ranking of an index with these fields. Error messages refer to the index as `owner`.
  init(_ ranking: Ranking, fields: [String], of owner: String) throws {
    guard (0...1000).contains(ranking.k1) else {
      throw TextIndexError(badRanking: "k1 of the ranking is \(ranking.k1); it must be from 0 to 1000")
    }
    guard (0...1).contains(ranking.b) else {
      throw TextIndexError(badRanking: "b of the ranking is \(ranking.b); it must be from 0 to 1")
    }
    try ranking.model.check()
    k1 = ranking.k1
    b = ranking.b
    model = ranking.model
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

  /// The number of most recently used rankings whose computed values are cached.
  package static let keptCount = 4

  /// The range of weights. These numbers are formatted without an exponent, which FTS5 cannot parse.
  private static let weights = 0.001...1_000_000.0
}
