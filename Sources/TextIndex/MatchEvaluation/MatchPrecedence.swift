extension MatchLeaf {
  /// A phrase whose documents rank below those of a leaf with precedence.
  struct OutrankedPhrase: Sendable {
    /// The postings of the phrase in all documents.
    let statistics: Postings
    var weight: Double
  }

  /// Whether the documents of the leaf precede other documents.
  var hasPrecedence: Bool { !outranked.isEmpty }

  /// Computes the number that is added to the scores of its documents: an upper bound on the difference between the
  /// score of another document and its own contribution.
  ///
  /// - Parameters:
  ///   - queryWeight: the sum of the weights of the query's terms; see ``MatchNode/queryWeight``.
  ///   - windowBound: an upper bound on the sum of the scores of the windows.
  /// - Complexity: O(n) in the number of postings.
  fileprivate func computedPrecedence(_ scorer: Scorer, queryWeight: Double, windowBound: Double) -> Double {
    if outranked.isEmpty { return 0 }
    guard scorer.ranking.model != .bm25 else {
      return outranked.reduce(0) { sum, phrase in
        sum + phrase.weight * scorer.idf(documentFrequency: phrase.statistics.count) * scorer.maximumSaturation
      }
    }
    var length = 0.0
    for number in 0..<postings.count { length = min(length, scorer.lengthPart(postings.rows[number])) }
    // With DPH and PL2, the leaf's own scores may be negative.
    let lowest = self.scorer(scorer).range(postings).lowerBound
    return outranked.reduce(windowBound - queryWeight * length - lowest) { sum, phrase in
      let range = TermScorer(scorer, phrase.statistics, weight: phrase.weight).range(phrase.statistics)
      return sum + range.upperBound - range.lowerBound
    }
  }

  func weighted(_ factor: Double) -> MatchLeaf {
    var leaf = self
    leaf.weight *= factor
    leaf.outranked = outranked.map { OutrankedPhrase(statistics: $0.statistics, weight: factor * $0.weight) }
    return leaf
  }

  func preceding(_ phrases: [OutrankedPhrase]) -> MatchLeaf {
    var leaf = self
    leaf.outranked = phrases
    return leaf
  }
}

extension MatchNode {
  /// The phrases that contribute to scores, from which the highest possible score is computed.
  var scoredPhrases: [MatchLeaf.OutrankedPhrase] {
    switch self {
    case .nothing: []
    case .leaf(let leaf): [MatchLeaf.OutrankedPhrase(statistics: leaf.statistics, weight: leaf.weight)]
    case .and(let operands), .or(let operands): operands.flatMap(\.scoredPhrases)
    case .not(let positive, _): positive.scoredPhrases
    }
  }

  /// Whether a leaf has precedence.
  var hasPrecedence: Bool {
    switch self {
    case .nothing: false
    case .leaf(let leaf): leaf.hasPrecedence
    case .and(let operands), .or(let operands): operands.contains(where: \.hasPrecedence)
    case .not(let positive, _): positive.hasPrecedence
    }
  }

  /// Returns the node with the numbers computed that are added to the scores of leaves with precedence.
  ///
  /// - Parameters:
  ///   - queryWeight: the sum of the weights of the query's terms and windows.
  ///   - windowBound: an upper bound on the sum of the scores of the windows.
  func withPrecedence(_ scorer: Scorer, queryWeight: Double, windowBound: Double) -> MatchNode {
    func computed(_ node: MatchNode) -> MatchNode {
      node.withPrecedence(scorer, queryWeight: queryWeight, windowBound: windowBound)
    }
    switch self {
    case .nothing: return self
    case .leaf(var leaf):
      leaf.precedence = leaf.computedPrecedence(scorer, queryWeight: queryWeight, windowBound: windowBound)
      return .leaf(leaf)
    case .and(let operands): return .and(operands.map(computed))
    case .or(let operands): return .or(operands.map(computed))
    case .not(let positive, let negative): return .not(computed(positive), negative)
    }
  }

  /// Returns a conjunction in which documents that contain the typed form of a corrected word precede all others.
  static func conjunction(_ operands: [MatchNode]) -> MatchNode {
    guard operands.contains(where: \.hasPrecedence) else { return .and(operands) }
    let phrases = operands.flatMap(\.scoredPhrases)
    return .and(operands.map { $0.preceding(phrases) })
  }

  private func preceding(_ phrases: [MatchLeaf.OutrankedPhrase]) -> MatchNode {
    switch self {
    case .leaf(let leaf) where leaf.hasPrecedence: .leaf(leaf.preceding(phrases))
    case .nothing, .leaf: self
    case .and(let operands): .and(operands.map { $0.preceding(phrases) })
    case .or(let operands): .or(operands.map { $0.preceding(phrases) })
    case .not(let positive, let negative): .not(positive.preceding(phrases), negative)
    }
  }
}
