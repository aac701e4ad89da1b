public import GRDB

/// Pseudo-relevance feedback: a query is looked for again together with the words that are typical of its best hits.
///
/// RM3, as in Lavrenko and Croft, "Relevance-Based Language Models" (2001), and Abdul-Jaleel et al., "UMass at TREC 2004:
/// Novelty and HARD" (2004). The first hits D are taken for relevant, and a word w is worth
///
/// ```
/// P(w|R) = Σ_D  P(w|D) · S(D)                   P(w|D) = frequency(w, D) / length(D), S(D) = score(D) / Σ scores
/// weight(w) = λ · P(w|Q) + (1 − λ) · P(w|R)     P(w|Q) = 1/n for each of the n different words and phrases of the query
/// ```
///
/// A word that a query repeats counts once, as in the search itself. If the words of the query have weights, P(w|Q) is their share
/// in these. All words are asked for as one bag: none must be there, also where the query asked for all of them, but its fields and
/// what it excludes stay as they are.
///
/// Here P(w|R) is cut to the best words and made to sum up to 1. Documents are then scored by BM25 with these weights; the score
/// takes the place of the likelihood of the query, as in Anserini. Function words of the language, and words in more than half of the
/// documents, without a language in more than a quarter, are none of the best words: they are typical of everything.
public struct RelevanceModel {
  /// The numbers of RM3.
  public struct Settings: Hashable, Sendable {
    /// How many of the first hits are taken for relevant.
    public var documentCount = 10
    /// How many words are added.
    public var termCount = 10
    /// What the words of the query count, from 0 to 1; those that are added count the rest.
    public var originalWeight = 0.5

    /// The usual numbers.
    public init() {}
  }

  private let query: FullTextQuery
  private let settings: Settings
  private var documents: [(terms: TermCounts, score: Double)] = []

  /// A relevance model of a query.
  ///
  /// - Parameter query: the query, best in the form that is content with any of its words.
  public init(_ query: FullTextQuery, _ settings: Settings = Settings()) {
    self.query = query
    self.settings = settings
  }

  /// Takes a hit for relevant.
  public mutating func add(_ terms: TermCounts, score: Double) {
    if terms.length > 0, score > 0 { documents.append((terms, score)) }
  }

  /// The query with the words that were found; the query itself where there are none.
  public func expandedQuery(_ db: Database) throws -> FullTextQuery {
    let terms = try bestTerms(db)
    guard !terms.isEmpty else { return query }
    return FullTextQuery(compiled: expanded(query.match, by: terms), in: query.index)
  }

  /// The best words, their weights adding up to 1.
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

  /// The query as a mixture with other terms, below its fields and beside what it excludes.
  private func expanded(_ match: CompiledMatch, by terms: [(term: QueriedTerm, weight: Double)]) -> CompiledMatch {
    switch match {
    case .not(let operand, let negative): return .not(expanded(operand, by: terms), negative)
    case .columns(let columns, let operand): return .columns(columns, expanded(operand, by: terms))
    case .and(let operands):
      // What an operand of AND excludes, as in `a NOT b AND c`, is excluded altogether.
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
  /// The words and phrases that any of AND and OR joins, each with its weight and in its fields.
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
