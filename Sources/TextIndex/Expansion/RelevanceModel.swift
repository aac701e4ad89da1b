/// Pseudo-relevance feedback: expands a query with words that are typical of its top hits.
///
/// The top hits are assumed to be relevant. A ``FeedbackModel`` computes a weight for each of their words w, and the
/// words with the highest weights are added to the query:
///
/// ```
/// weight(w) = λ · q(w) / |q| + (1 − λ) · m(w) / |m|
/// ```
///
/// where q(w) is the weight of the word in the query, by default its frequency at all levels, m(w) is its weight in the model, and
/// | | is the norm of the model. The expanded query is a disjunction of all words, even if the original
/// query required all of its words; fields and exclusions of the query are preserved. Documents are scored by the ranking
/// model with these weights.
///
/// Function words of the language are not candidates, and neither are words in more than half of the documents (a
/// quarter if the index has no language), because they do not distinguish documents.
public struct RelevanceModel {
  /// The parameters of feedback.
  public struct Settings: Hashable, Sendable {
    /// The formula of the weights.
    public var model = FeedbackModel.rm3
    /// The number of top hits that are assumed to be relevant.
    public var documentCount = 10
    /// The number of words to add.
    public var termCount = 30
    /// λ: the weight of the query's words, from 0 to 1; the weight of the added words is 1 − λ.
    public var originalWeight = 0.5

    /// Creates settings with the default values.
    public init() {}
  }

  private let query: FullTextQuery
  private let settings: Settings
  private var documents: [FeedbackDocument] = []

  /// Creates a relevance model for a query.
  ///
  /// - Parameter query: the query, preferably in the form that requires only one of its words.
  public init(_ query: FullTextQuery, _ settings: Settings = Settings()) {
    self.query = query
    self.settings = settings
  }

  /// Adds a document that is assumed to be relevant. A document without terms is ignored.
  ///
  /// - Parameters:
  ///   - terms: the terms of the document.
  ///   - score: the score of the document for the original query.
  public mutating func add(_ terms: TermCounts, score: Double) {
    if terms.length > 0, score.isFinite { documents.append(FeedbackDocument(terms: terms, score: score)) }
  }

  /// Returns the query expanded with the best words, or the query itself if there are none.
  ///
  /// - Parameter reader: the index of the query.
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  public func expandedQuery(_ reader: IndexReader) throws -> FullTextQuery {
    guard settings.termCount > 0, !documents.isEmpty else { return query }
    let terms = try settings.model.bestTerms(
      of: documents, count: settings.termCount, TermStatistics(reader))
    guard !terms.isEmpty else { return query }
    var expanded = FullTextQuery(compiled: expanded(query.match, by: terms), in: query.index)
    // The pairs keep their ratio to the words of the query, whose weights are scaled in the same way.
    expanded.windowSource = query.windowSource
    let words = wantedOperands(query.match).distinctLeaves
    expanded.windowWeight = settings.originalWeight / settings.model.norm(words.map(\.weight))
    return expanded
  }

  /// Returns the mixture of the query and other terms, within the query's fields and with its exclusions.
  private func expanded(_ match: CompiledMatch, by terms: [(term: QueriedTerm, weight: Double)]) -> CompiledMatch {
    switch match {
    case .not(let operand, let negative): return .not(expanded(operand, by: terms), negative)
    case .columns(let columns, let operand): return .columns(columns, expanded(operand, by: terms))
    case .and(let operands):
      // An exclusion within an operand of AND, as in `a NOT b AND c`, applies to the whole query.
      let excluded = operands.compactMap { if case .not(_, let negative) = $0 { negative } else { nil } }
      let mixture = mixture(wantedOperands(match), terms)
      return excluded.isEmpty ? mixture : .not(mixture, .any(excluded))
    default: return mixture([match], terms)
    }
  }

  /// Returns the operands that the mixture of a query contains: without fields and exclusions that apply to all of them.
  private func wantedOperands(_ match: CompiledMatch) -> [CompiledMatch] {
    switch match {
    case .not(let operand, _), .columns(_, let operand): wantedOperands(operand)
    case .and(let operands): operands.map { if case .not(let wanted, _) = $0 { wanted } else { $0 } }
    default: [match]
    }
  }

  private func mixture(
    _ operands: [CompiledMatch], _ terms: [(term: QueriedTerm, weight: Double)]
  ) -> CompiledMatch {
    let words = operands.distinctLeaves
    var order = words.map(\.match)
    // The weights are summed in the order of the query because rounding depends on the order.
    let factor = settings.originalWeight / settings.model.norm(words.map(\.weight))
    var weights: [CompiledMatch: Double] = [:]
    for word in words { weights[word.match] = word.weight * factor }
    for (term, weight) in terms {
      if weights[term.match] == nil { order.append(term.match) }
      weights[term.match, default: 0] += (1 - settings.originalWeight) * weight
    }
    return .any(order.compactMap { operand in weights[operand].flatMap { $0 > 0 ? .weighted(operand, $0) : nil } })
  }
}

extension [CompiledMatch] {
  /// The distinct words and phrases of the operands, in order, each with the sum of its weights.
  fileprivate var distinctLeaves: [(match: CompiledMatch, weight: Double)] {
    var order: [CompiledMatch] = []
    var weights: [CompiledMatch: Double] = [:]
    for leaf in flatMap(\.leaves) {
      if weights[leaf.match] == nil { order.append(leaf.match) }
      weights[leaf.match, default: 0] += leaf.weight
    }
    return order.map { ($0, weights[$0, default: 0]) }
  }
}

extension CompiledMatch {
  /// The words and phrases that AND and OR join at any level, each with its weight and its fields.
  fileprivate var leaves: [(match: CompiledMatch, weight: Double)] {
    switch self {
    case .nothing: []
    case .phrase, .phraseByColumns, .near, .fuzzy: [(self, 1)]
    case .and(let operands), .or(let operands): operands.flatMap(\.leaves)
    case .not(let operand, let negative): operand.leaves.map { (.not($0.match, negative), $0.weight) }
    case .columns(let columns, let operand): operand.leaves.map { (.columns(columns, $0.match), $0.weight) }
    case .weighted(let operand, let factor): operand.leaves.map { ($0.match, $0.weight * factor) }
    }
  }
}
