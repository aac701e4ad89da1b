/// An explanation of a document's score: a tree with the structure of the query.
///
/// The score of a node is exactly the sum of the scores of its children, added in their order. Operands that the
/// document does not match are left out.
public struct ScoreExplanation: Hashable, Sendable {
  /// The kinds of nodes.
  public indirect enum Content: Hashable, Sendable {
    /// A word, prefix or phrase.
    case term(TermScore)
    /// A conjunction.
    case all([ScoreExplanation])
    /// A disjunction.
    case any([ScoreExplanation])
    /// A document's score in a model that adds other summands to those of the match expression: the expression, the
    /// windows of pairs of words, and the length of the document.
    case sum([ScoreExplanation])
    /// The summand for the length of the document, multiplied by the sum of the weights of all terms of the query; see
    /// `RankingModel.dirichlet(mu:)`.
    case length(Double, queryWeight: Double)
  }

  /// The contribution of the node to the score.
  public let score: Double
  /// The kind of the node.
  public let content: Content
}

/// The contribution of a word, prefix or phrase to a score. See `Ranking` and `RankingModel` for the formulas.
///
/// ``weight`` times ``idf`` times ``saturation``, plus ``precedence``, is the score. With BM25, `saturation` is
/// `(k1 + 1) · f / (k1 + f)`, where f is the sum of ``Field/weightedFrequency`` of the ``fields``. With other models,
/// `idf` is 1, and `saturation` is the value of the formula of the ``model`` for the ``occurrences``.
public struct TermScore: Hashable, Sendable {
  /// A field that contains the term.
  public struct Field: Hashable, Sendable {
    /// The field's name.
    public let name: String
    /// The term frequency in the field.
    public let frequency: Int
    /// The number of terms in the field.
    public let length: Int
    /// The mean length of the field over all documents, in terms.
    public let averageLength: Double
    /// The weight of the field.
    public let weight: Double
    /// `weight · frequency / (1 − b + b · length / averageLength)` with BM25, `weight · frequency` with other models.
    public let weightedFrequency: Double
  }

  /// The numbers in the formulas of models other than BM25: sums over all fields, each multiplied by its weight.
  public struct Occurrences: Hashable, Sendable {
    /// The frequency of the term in the document.
    public let frequency: Double
    /// The length of the document, in terms.
    public let length: Double
    /// The mean length of all documents, in terms.
    public let averageLength: Double
    /// The frequency of the term in all documents.
    public let collectionFrequency: Double
    /// The sum of the lengths of all documents, in terms.
    public let collectionLength: Double
  }

  /// The ranking model.
  public let model: RankingModel
  /// The numbers in the formula of the model; nil for BM25.
  public let occurrences: Occurrences?
  /// The maximum number of positions of a window in which the two words occur in any order; nil for a word or phrase.
  public let window: Int?

  /// The accepted terms of each position: the word and its equivalents.
  public let positions: [[String]]
  /// Whether the last position accepts every term with this prefix.
  public let isPrefix: Bool
  /// The fields that contain the term.
  public let fields: [Field]
  /// The document frequency.
  public let documentFrequency: Int
  /// The number of documents in the index.
  public let documentCount: Int
  /// The inverse document frequency in the formula of the ranking: `ln(1 + (N − n + 0.5) / (n + 0.5))`, or that of
  /// `Ranking.Formula.fts5`; 1 for models other than BM25.
  public let idf: Double
  /// The saturation, from 0 to k1 + 1; with other models, the value of the formula.
  public let saturation: Double
  /// The k1 of the ranking.
  public let k1: Double
  /// The b of the ranking.
  public let b: Double
  /// The weight of the term in the query: 1, except for repeated terms, feedback and similar documents.
  public let weight: Double
  /// The amount added to the score of a document that contains a word with `~` as typed, so that it ranks above
  /// documents with similar words; 0 for all other terms.
  public let precedence: Double

  /// The terms as text: `harbour`, `"long street"`, `libr*`; `run|running` for several terms; `#uw8(long street)` for
  /// a window.
  public var text: String {
    let words = positions.map { $0.joined(separator: "|") }.joined(separator: " ") + (isPrefix ? "*" : "")
    if let window { return "#uw\(window)(\(words))" }
    return positions.count > 1 ? "\"\(words)\"" : words
  }
}

/// Explains the score of a document by traversing the match expression together with its postings.
struct ScoreExplainer {
  let index: StoredFullTextIndex
  let scorer: Scorer
  /// The sum of the weights of the terms and windows of the query.
  let queryWeight: Double
  let row: UInt32

  /// Returns the explanation of the document's score in a search; nil if the document does not match.
  func explain(_ match: CompiledMatch, _ search: MatchSearch) -> ScoreExplanation? {
    guard let expression = explain(match, search.node) else { return nil }
    var parts = [expression]
    parts += search.windows.compactMap { window in
      code(of: window.leaf).map { explain(window.phrase, window.leaf, $0, window: window.length) }
    }
    if scorer.hasLengthPart {
      let part = scorer.lengthPart(row)
      parts.append(ScoreExplanation(score: queryWeight * part, content: .length(part, queryWeight: queryWeight)))
    }
    if parts.count == 1 { return expression }
    return ScoreExplanation(
      score: parts.dropFirst().reduce(expression.score) { $0 + $1.score }, content: .sum(parts))
  }

  /// Returns the contribution of the match to the document's score; nil if the document does not match.
  func explain(_ match: CompiledMatch, _ node: MatchNode) -> ScoreExplanation? {
    switch (match, node) {
    case (.columns(_, let operand), _), (.weighted(let operand, _), _): explain(operand, node)
    case (.phrase(let phrase), .leaf(let leaf)): explain(phrase, leaf)
    case (.phraseByColumns(let variants), .leaf(let leaf)): explain(variants, leaf)
    case (.near(let phrases, _), .and(let nodes)):
      all(
        zip(phrases, nodes).map { phrase, node in
          if case .leaf(let leaf) = node { explain(phrase, leaf) } else { nil }
        })
    case (.and(let operands), .and(let nodes)): all(zip(operands, nodes).map { explain($0, $1) })
    case (.or(let operands), .or(let nodes)): any(zip(operands, nodes).map { explain($0, $1) })
    case (.fuzzy(let typed, let all), .or(let nodes)):
      any(zip([typed, all], nodes).map { explain($0, $1) })
    case (.not(let positive, let negative), .not(let positiveNode, let negativeNode)):
      explain(negative, negativeNode) == nil ? explain(positive, positiveNode) : nil
    default: nil
    }
  }

  private func all(_ parts: [ScoreExplanation?]) -> ScoreExplanation? {
    let present = parts.compactMap { $0 }
    guard present.count == parts.count, let first = present.first else { return nil }
    return ScoreExplanation(score: present.dropFirst().reduce(first.score) { $0 + $1.score }, content: .all(present))
  }

  private func any(_ parts: [ScoreExplanation?]) -> ScoreExplanation? {
    let present = parts.compactMap { $0 }
    if present.isEmpty { return nil }
    return ScoreExplanation(score: present.reduce(0) { $0 + $1.score }, content: .any(present))
  }

  private func explain(_ phrase: CompiledPhrase, _ leaf: MatchLeaf) -> ScoreExplanation? {
    code(of: leaf).map { explain(phrase, leaf, $0) }
  }

  /// Explains a word that has different forms in some columns, with the forms of the columns that contain it.
  private func explain(_ variants: [ColumnPhrase], _ leaf: MatchLeaf) -> ScoreExplanation? {
    guard let code = code(of: leaf) else { return nil }
    var columns = Set<Int>()
    Frequencies.forEach(code, leaf.postings.overflow) { column, _ in columns.insert(column) }
    let present = variants.filter { !columns.isDisjoint(with: $0.columns) }.map(\.phrase)
    return present.first.map { explain(present.dropFirst().reduce($0) { $0.union($1) }, leaf, code) }
  }

  /// Returns the frequencies of a leaf in the columns of the document (see ``Frequencies``); nil if the document does
  /// not contain it.
  private func code(of leaf: MatchLeaf) -> UInt32? {
    let postings = leaf.postings
    let number = postings.rows.position(of: row, from: 0, count: postings.count)
    return number < postings.count && postings.rows[number] == row ? postings.frequencies[number] : nil
  }

  private func explain(
    _ phrase: CompiledPhrase, _ leaf: MatchLeaf, _ code: UInt32, window: Int? = nil
  ) -> ScoreExplanation {
    let postings = leaf.postings
    let isBM25 = scorer.ranking.model == .bm25
    let occurrences =
      isBM25
      ? nil
      : TermScore.Occurrences(
        frequency: scorer.weightedFrequency(code, postings.overflow), length: scorer.weightedLength(row),
        averageLength: scorer.averageLength, collectionFrequency: scorer.collectionFrequency(leaf.statistics),
        collectionLength: scorer.collectionLength)
    var fields: [TermScore.Field] = []
    Frequencies.forEach(code, postings.overflow) { column, frequency in
      let (length, average, factor) = scorer.norm(column, row)
      fields.append(
        TermScore.Field(
          name: index.definition.fields[column].name, frequency: Int(frequency), length: Int(length),
          averageLength: average, weight: scorer.ranking.weights[column],
          weightedFrequency: Double(frequency) * (isBM25 ? factor : scorer.ranking.weights[column])))
    }
    let termScorer = leaf.scorer(scorer)
    let term = TermScore(
      model: scorer.ranking.model, occurrences: occurrences, window: window, positions: phrase.positions,
      isPrefix: phrase.isPrefix, fields: fields, documentFrequency: leaf.documentFrequency,
      documentCount: scorer.documentCount,
      idf: isBM25 ? scorer.idf(documentFrequency: leaf.documentFrequency) : 1,
      saturation: termScorer.part(row, code, postings.overflow), k1: scorer.ranking.k1,
      b: scorer.ranking.b, weight: leaf.weight, precedence: leaf.precedence)
    return ScoreExplanation(
      score: termScorer(row, code, postings.overflow) + leaf.precedence, content: .term(term))
  }
}

extension CompiledPhrase {
  /// Returns a phrase with the accepted terms of both phrases at each position, for display.
  func union(_ other: CompiledPhrase) -> CompiledPhrase {
    var union = self
    for (position, forms) in other.positions.enumerated() {
      if position < union.positions.count {
        union.positions[position] += forms.filter { !union.positions[position].contains($0) }
      } else {
        union.positions.append(forms)
      }
    }
    union.isPrefix = isPrefix || other.isPrefix
    return union
  }
}
