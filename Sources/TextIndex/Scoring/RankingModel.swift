/// A ranking model: the formula of the score of a document.
///
/// All models except ``bm25`` treat the fields of a document as one text in which a field with the weight w occurs w
/// times: frequencies and lengths are sums over the fields, multiplied by their weights. In the formulas,
///
/// - f is the frequency of a term in the document, and F its frequency in all documents;
/// - l is the length of the document, L the total length of all documents, and a their mean length;
/// - N is the number of documents;
/// - P is F / L.
///
/// The score is the sum over the terms of the query, each multiplied by its weight in the query. A phrase counts as one
/// term, and so do all words that match a prefix.
///
/// Scores of different models cannot be compared, and those of ``dirichlet(mu:)``, ``dph``, ``pl2(c:)`` and
/// ``sequentialDependence(_:)`` may be negative.
///
/// ```swift
/// var request = SearchRequest("heat transfer")
/// request.model = .dirichlet(mu: 2000)
/// ```
public enum RankingModel: Hashable, Sendable {
  /// Okapi BM25, with the parameters k1 and b; see `Ranking`. The default.
  case bm25
  /// Query likelihood with Dirichlet smoothing:
  ///
  /// ```
  /// Σ ln(1 + f / (mu · P)) + q · ln(mu / (mu + l))
  /// ```
  ///
  /// where q is the sum of the weights of all terms of the query, including those that the document does not contain.
  /// It is the logarithm of the likelihood without summands that are equal for all documents. See Zhai and Lafferty, "A
  /// Study of Smoothing Methods for Language Models Applied to Ad Hoc Information Retrieval" (2001). mu is from 0.001
  /// to 1,000,000.
  case dirichlet(mu: Double = 1000)
  /// Query likelihood with Jelinek-Mercer smoothing: `Σ ln(1 + (1 − lambda) · f / (lambda · l · P))`. See Zhai
  /// and Lafferty, as above; lambda is the weight of the collection, from 0.001 to 0.999.
  case jelinekMercer(lambda: Double = 0.4)
  /// The parameter-free hypergeometric model of divergence from randomness:
  ///
  /// ```
  /// Σ (1 − f/l)² / (f + 1) · (f · log₂(f · a / l · N / F) + log₂(2π · f · (1 − f/l)) / 2)
  /// ```
  ///
  /// See Amati, "Frequentist and Bayesian Approach to Information Retrieval" (2006).
  case dph
  /// The Poisson model of divergence from randomness, with Laplace after-effect and term frequency normalization 2:
  ///
  /// ```
  /// Σ (t · log₂(t / m) + (m − t) · log₂(e) + log₂(2π · t) / 2) / (t + 1)     t = f · log₂(1 + c · a / l)     m = F / N
  /// ```
  ///
  /// See Amati and van Rijsbergen, "Probabilistic Models of Information Retrieval Based on Measuring the Divergence
  /// from Randomness" (2002). c is from 0.001 to 1000; a larger c lowers the scores of long documents less.
  case pl2(c: Double = 1)
  /// Query likelihood of the words of the query and of the pairs of successive words, with Dirichlet smoothing.
  case sequentialDependence(SequentialDependence = SequentialDependence())

  /// The name of the model: `bm25`, `dirichlet`, `jelinek-mercer`, `dph`, `pl2` or `sdm`.
  public var name: String {
    switch self {
    case .bm25: "bm25"
    case .dirichlet: "dirichlet"
    case .jelinekMercer: "jelinek-mercer"
    case .dph: "dph"
    case .pl2: "pl2"
    case .sequentialDependence: "sdm"
    }
  }

  /// All models, with their default parameters.
  public static let all: [RankingModel] = [
    .bm25, .dirichlet(), .jelinekMercer(), .dph, .pl2(), .sequentialDependence(),
  ]

  /// Creates the model with this ``name`` and its default parameters; nil if there is none.
  public init?(name: String) {
    guard let model = RankingModel.all.first(where: { $0.name == name }) else { return nil }
    self = model
  }
}

/// The parameters of the sequential dependence model; see Metzler and Croft, "A Markov Random Field Model for Term
/// Dependencies" (2005).
///
/// The score is that of `RankingModel.dirichlet(mu:)` with three kinds of terms: the words of the query, pairs of
/// successive query words that are adjacent and in order (ordered windows), and such pairs in any order within a few
/// positions (unordered windows). The windows raise the scores of documents that match the query; they do
/// not restrict the matches. A word belongs to at most one unordered window of a pair; windows are counted from the
/// beginning of each field.
public struct SequentialDependence: Hashable, Sendable {
  /// The parameter mu of Dirichlet smoothing, from 0.001 to 1,000,000.
  public var mu = 1000.0
  /// The weight of the words, from 0 to 1.
  public var wordWeight = 0.85
  /// The weight of ordered windows, from 0 to 1.
  public var orderedWeight = 0.10
  /// The weight of unordered windows, from 0 to 1.
  public var unorderedWeight = 0.05
  /// The maximum number of positions of an unordered window, from 2 to 1000.
  public var windowLength = 8

  /// Creates the default parameters.
  public init() {}
}

extension RankingModel {
  /// The parameter mu of Dirichlet smoothing; nil if the model has no summand for the length of a document.
  var mu: Double? {
    switch self {
    case .dirichlet(let mu): mu
    case .sequentialDependence(let dependence): dependence.mu
    case .bm25, .jelinekMercer, .dph, .pl2: nil
    }
  }

  /// The parameters of sequential dependence; nil for other models.
  var dependence: SequentialDependence? {
    if case .sequentialDependence(let dependence) = self { dependence } else { nil }
  }

  /// Checks the parameters.
  ///
  /// - Throws: ``TextIndexError`` for a number out of range.
  func check() throws {
    func require(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
      guard range.contains(value) else {
        throw TextIndexError(
          badRanking: "\(name) of the ranking is \(value); it must be from \(Self.text(range.lowerBound)) to "
            + Self.text(range.upperBound))
      }
    }
    switch self {
    case .bm25, .dph: break
    case .dirichlet(let mu): try require("mu", mu, RankingModel.priors)
    case .jelinekMercer(let lambda): try require("lambda", lambda, 0.001...0.999)
    case .pl2(let c): try require("c", c, 0.001...1000)
    case .sequentialDependence(let dependence):
      try require("mu", dependence.mu, RankingModel.priors)
      try require("the weight of words", dependence.wordWeight, 0...1)
      try require("the weight of ordered windows", dependence.orderedWeight, 0...1)
      try require("the weight of unordered windows", dependence.unorderedWeight, 0...1)
      try require("the window length", Double(dependence.windowLength), 2...1000)
    }
  }

  private static let priors = 0.001...1_000_000.0

  private static func text(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
}

/// The form stored in the definition of an index: an object with `name` and the parameters of the model.
extension RankingModel: Codable {
  private enum Key: String, CodingKey {
    case name, mu, lambda, c, words, ordered, unordered, window
  }

  /// Decodes a model. Missing parameters have their default values.
  ///
  /// - Throws: `DecodingError` for an unknown name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(String.self, forKey: .name)
    func number(_ key: Key) throws -> Double? { try container.decodeIfPresent(Double.self, forKey: key) }
    guard let model = RankingModel(name: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: container, debugDescription: "the ranking model \"\(name)\" is unknown")
    }
    switch model {
    case .bm25, .dph: self = model
    case .dirichlet(let mu): self = .dirichlet(mu: try number(.mu) ?? mu)
    case .jelinekMercer(let lambda): self = .jelinekMercer(lambda: try number(.lambda) ?? lambda)
    case .pl2(let c): self = .pl2(c: try number(.c) ?? c)
    case .sequentialDependence(var dependence):
      dependence.mu = try number(.mu) ?? dependence.mu
      dependence.wordWeight = try number(.words) ?? dependence.wordWeight
      dependence.orderedWeight = try number(.ordered) ?? dependence.orderedWeight
      dependence.unorderedWeight = try number(.unordered) ?? dependence.unorderedWeight
      dependence.windowLength = try container.decodeIfPresent(Int.self, forKey: .window) ?? dependence.windowLength
      self = .sequentialDependence(dependence)
    }
  }

  /// Encodes the model with all of its parameters.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    switch self {
    case .bm25, .dph: break
    case .dirichlet(let mu): try container.encode(mu, forKey: .mu)
    case .jelinekMercer(let lambda): try container.encode(lambda, forKey: .lambda)
    case .pl2(let c): try container.encode(c, forKey: .c)
    case .sequentialDependence(let dependence):
      try container.encode(dependence.mu, forKey: .mu)
      try container.encode(dependence.wordWeight, forKey: .words)
      try container.encode(dependence.orderedWeight, forKey: .ordered)
      try container.encode(dependence.unorderedWeight, forKey: .unordered)
      try container.encode(dependence.windowLength, forKey: .window)
    }
  }
}
