/// Pseudo-relevance feedback: expands a query with words that are typical of its top hits.
///
/// The top hits are assumed to be relevant. A ``FeedbackModel`` computes a weight for each of their words w, and the
/// words with the highest weights are added to the query:
///
/// ```
/// weight(w) = λ · q(w) / |q| + (1 − λ) · m(w) / |m|
/// ```
///
/// where q(w) is the weight of the word in the query, by default its frequency at all levels, m(w) is its weight in the
/// model, and
/// | | is the norm of the model. The expanded query is a disjunction of all words, even if the original
/// query required all of its words. Its fields and exclusions are preserved, and words with a field remain required if
/// there are words without one: `memory path:mm` finds only documents with this path. An exclusion of an operand of OR
/// applies only to the words of this operand, so added words can find documents that it excludes. Documents are scored
/// by the ranking model with these weights.
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
    let columns = Set(query.index.definition.fields.indices)
    var expanded = FullTextQuery(compiled: expanded(query.match, by: terms, in: columns), in: query.index)
    // The pairs keep their ratio to the words of the query, whose weights are scaled in the same way.
    expanded.windowSource = query.windowSource
    expanded.windowWeight = factor(wantedOperands(query.match))
    return expanded
  }

  /// Returns the mixture of the query and other terms, within the query's fields and with its exclusions.
  ///
  /// - Parameter columns: the columns in which the match is searched for.
  private func expanded(
    _ match: CompiledMatch, by terms: [(term: QueriedTerm, weight: Double)], in columns: Set<Int>
  ) -> CompiledMatch {
    switch match {
    case .not(let operand, let negative): return .not(expanded(operand, by: terms, in: columns), negative)
    case .columns(let inner, let operand):
      return .columns(inner, expanded(operand, by: terms, in: columns.intersection(inner)))
    case .and:
      // An exclusion within an operand of AND, as in `a NOT b AND c`, applies to the whole query.
      let operands = match.conjuncts
      let expanded = conjunction(operands.wanted, terms, in: columns)
      return operands.excluded.isEmpty ? expanded : .not(expanded, .any(operands.excluded))
    default: return mixture([match], terms, factor: factor([match]))
    }
  }

  /// Returns the mixture of the operands of AND and other terms. Operands that are restricted to fields, such as
  /// `path:net`, remain required if there are others.
  private func conjunction(
    _ operands: [CompiledMatch], _ terms: [(term: QueriedTerm, weight: Double)], in columns: Set<Int>
  ) -> CompiledMatch {
    let factor = factor(operands)
    let required = operands.filter { $0.isRestricted(within: columns) }
    let others = operands.filter { !$0.isRestricted(within: columns) }
    guard !required.isEmpty, !others.isEmpty else { return mixture(operands, terms, factor: factor) }
    // Weights are positive, even if the words of the query do not count.
    let weight = max(factor, 1e-9)
    return .all([mixture(others, terms, factor: factor)] + required.map { .weighted($0, weight) })
  }

  /// Returns the operands whose words share λ: without fields and exclusions that apply to all of them.
  private func wantedOperands(_ match: CompiledMatch) -> [CompiledMatch] {
    switch match {
    case .not(let operand, _), .columns(_, let operand): wantedOperands(operand)
    default: match.conjuncts.wanted
    }
  }

  /// Returns the factor of the weights of the query's words: λ / |q|.
  private func factor(_ operands: [CompiledMatch]) -> Double {
    // The weights are summed in the order of the query because rounding depends on the order.
    settings.originalWeight / settings.model.norm(operands.distinctLeaves.map(\.weight))
  }

  private func mixture(
    _ operands: [CompiledMatch], _ terms: [(term: QueriedTerm, weight: Double)], factor: Double
  ) -> CompiledMatch {
    let words = operands.distinctLeaves
    var order = words.map(\.match)
    var weights: [CompiledMatch: Double] = [:]
    for word in words { weights[word.match] = word.weight * factor }
    for (term, weight) in terms {
      if weights[term.match] == nil { order.append(term.match) }
      weights[term.match, default: 0] += (1 - settings.originalWeight) * weight
    }
    return .any(order.compactMap { operand in weights[operand].flatMap { $0 > 0 ? .weighted(operand, $0) : nil } })
  }
}
