public import GRDB

/// Pseudo-relevance feedback: expands a query with words that are typical of its best hits.
///
/// RM3, as in Lavrenko and Croft, "Relevance-Based Language Models" (2001), and Abdul-Jaleel et al., "UMass at TREC
/// 2004: Novelty and HARD" (2004). The first hits D are assumed to be relevant. The weight of a word w is
///
/// ```
/// P(w|R) = Σ_D  P(w|D) · S(D)                   P(w|D) = frequency(w, D) / length(D), S(D) = score(D) / Σ scores
/// weight(w) = λ · P(w|Q) + (1 − λ) · P(w|R)     P(w|Q) = 1/n for each of the n different words and phrases of the query
/// ```
///
/// A repeated word counts as often as it occurs, as in a search. If the words of the query have weights, P(w|Q) is
/// proportional to them. The expanded query is a disjunction of all words, even if the original query required all of
/// its words; fields and exclusions of the query are preserved.
///
/// P(w|R) is restricted to the best words and normalized to sum to 1. Documents are then scored by BM25 with these
/// weights; the score replaces the query likelihood, as in Anserini. Function words of the language are not candidates,
/// and neither are words in more than half of the documents (a quarter if the index has no language), because they do
/// not distinguish documents.
public struct RelevanceModel {
  /// The parameters of RM3.
  public struct Settings: Hashable, Sendable {
    /// The number of top hits that are assumed to be relevant.
    public var documentCount = 10
    /// The number of words to add.
    public var termCount = 10
    /// λ: the weight of the query's words, from 0 to 1; the added words have the rest.
    public var originalWeight = 0.5

    /// Creates settings with the default values.
    public init() {}
  }

  private let query: FullTextQuery
  private let settings: Settings
  private var documents: [(terms: TermCounts, score: Double)] = []

  /// Creates a relevance model of a query.
  ///
  /// - Parameter query: the query, preferably in the form that requires only one of its words.
  public init(_ query: FullTextQuery, _ settings: Settings = Settings()) {
    self.query = query
    self.settings = settings
  }

  /// Adds a relevant document.
  public mutating func add(_ terms: TermCounts, score: Double) {
    if terms.length > 0, score > 0 { documents.append((terms, score)) }
  }

  /// Returns the query expanded by the best words; the query itself if there are none.
  public func expandedQuery(_ db: Database) throws -> FullTextQuery {
    let terms = try bestTerms(db)
    guard !terms.isEmpty else { return query }
    return FullTextQuery(compiled: expanded(query.match, by: terms), in: query.index)
  }

  /// Returns the best words with weights that sum to 1.
  private func bestTerms(_ db: Database) throws -> [(term: QueriedTerm, weight: Double)] {
    let scores = documents.reduce(0) { $0 + $1.score }
    var model: [QueriedTerm: Double] = [:]
    for (terms, score) in documents {
      for (term, count) in terms.counts {
        model[term, default: 0] += Double(count) / Double(terms.length) * score / scores
      }
    }
    let statistics = try TermStatistics(query.index, db)
    var best: [(term: QueriedTerm, weight: Double)] = []
    for (term, weight) in model.sorted(by: { ($0.value, $1.key.text) > ($1.value, $0.key.text) }) {
      if best.count == settings.termCount { break }
      let frequency = try statistics.documentFrequency(of: term.match)
      if 2 * frequency <= statistics.documentCount, statistics.isDiscriminative(documentFrequency: frequency) {
        best.append((term, weight))
      }
    }
    let sum = best.reduce(0) { $0 + $1.weight }
    return best.map { ($0.term, $0.weight / sum) }
  }

  /// Returns the mixture of the query and other terms, within the query's fields and with its exclusions.
  private func expanded(_ match: CompiledMatch, by terms: [(term: QueriedTerm, weight: Double)]) -> CompiledMatch {
    switch match {
    case .not(let operand, let negative): return .not(expanded(operand, by: terms), negative)
    case .columns(let columns, let operand): return .columns(columns, expanded(operand, by: terms))
    case .and(let operands):
      // An exclusion within an operand of AND, as in `a NOT b AND c`, applies to the whole query.
      let excluded = operands.compactMap { if case .not(_, let negative) = $0 { negative } else { nil } }
      let mixture = mixture(operands.map { if case .not(let wanted, _) = $0 { wanted } else { $0 } }, terms)
      return excluded.isEmpty ? mixture : .not(mixture, .any(excluded))
    default: return mixture([match], terms)
    }
  }

  private func mixture(
    _ operands: [CompiledMatch], _ terms: [(term: QueriedTerm, weight: Double)]
  ) -> CompiledMatch {
    var order: [CompiledMatch] = []
    var weights: [CompiledMatch: Double] = [:]
    for leaf in operands.flatMap(\.leaves) where weights.updateValue(leaf.weight, forKey: leaf.match) == nil {
      order.append(leaf.match)
    }
    let sum = weights.values.reduce(0, +)
    for leaf in order { weights[leaf, default: 0] *= settings.originalWeight / sum }
    for (term, weight) in terms {
      if weights[term.match] == nil { order.append(term.match) }
      weights[term.match, default: 0] += (1 - settings.originalWeight) * weight
    }
    return .any(order.compactMap { operand in weights[operand].flatMap { $0 > 0 ? .weighted(operand, $0) : nil } })
  }
}

extension CompiledMatch {
  /// The words and phrases that AND and OR join at any level, each with its weight and its fields.
  fileprivate var leaves: [(match: CompiledMatch, weight: Double)] {
    switch self {
    case .nothing: []
    case .phrase, .phraseByColumns, .near, .approximate: [(self, 1)]
    case .and(let operands), .or(let operands): operands.flatMap(\.leaves)
    case .not(let operand, let negative): operand.leaves.map { (.not($0.match, negative), $0.weight) }
    case .columns(let columns, let operand): operand.leaves.map { (.columns(columns, $0.match), $0.weight) }
    case .weighted(let operand, let factor): operand.leaves.map { ($0.match, $0.weight * factor) }
    }
  }
}
