extension MatchLeaf {
  /// A phrase whose documents rank below those of a leaf with precedence.
  struct Rival: Sendable {
    /// The postings of the phrase in all documents.
    let statistics: Postings
    var weight: Double
  }

  /// Whether the documents of the leaf precede others.
  var hasPrecedence: Bool { !rivals.isEmpty }

  /// Returns the number that is added to the scores of its documents: an upper bound on the difference between the
  /// scores that the rivals contribute to other documents and to its own.
  ///
  /// - Parameter queryWeight: the sum of the weights of the query's terms, see ``MatchNode/queryWeight``.
  func precedence(_ scorer: Scorer, queryWeight: Double) -> Double {
    if rivals.isEmpty { return 0 }
    guard scorer.ranking.model != .bm25 else {
      return rivals.reduce(0) { sum, rival in
        sum + rival.weight * scorer.idf(documentFrequency: rival.statistics.count) * scorer.maximumSaturation
      }
    }
    var length = 0.0
    for number in 0..<postings.count { length = min(length, scorer.lengthPart(postings.rows[number])) }
    return rivals.reduce(-queryWeight * length) { sum, rival in
      let range = TermScorer(scorer, rival.statistics, weight: rival.weight).range(rival.statistics)
      return sum + range.upperBound - range.lowerBound
    }
  }

  func weighted(_ factor: Double) -> MatchLeaf {
    var leaf = self
    leaf.weight *= factor
    leaf.rivals = rivals.map { Rival(statistics: $0.statistics, weight: factor * $0.weight) }
    return leaf
  }

  func preceding(_ rivals: [Rival]) -> MatchLeaf {
    var leaf = self
    leaf.rivals = rivals
    return leaf
  }
}

extension MatchNode {
  /// The phrases of the node, from which the highest possible score is computed.
  var rivals: [MatchLeaf.Rival] {
    switch self {
    case .nothing: []
    case .leaf(let leaf): [MatchLeaf.Rival(statistics: leaf.statistics, weight: leaf.weight)]
    case .and(let operands), .or(let operands): operands.flatMap(\.rivals)
    case .not(let positive, _): positive.rivals
    }
  }

  private var hasPrecedence: Bool {
    switch self {
    case .nothing: false
    case .leaf(let leaf): leaf.hasPrecedence
    case .and(let operands), .or(let operands): operands.contains(where: \.hasPrecedence)
    case .not(let positive, _): positive.hasPrecedence
    }
  }

  /// Returns a conjunction in which documents that contain the typed form of a corrected word precede all others.
  static func conjunction(_ operands: [MatchNode]) -> MatchNode {
    guard operands.contains(where: \.hasPrecedence) else { return .and(operands) }
    let rivals = operands.flatMap(\.rivals)
    return .and(operands.map { $0.preceding(rivals) })
  }

  private func preceding(_ rivals: [MatchLeaf.Rival]) -> MatchNode {
    switch self {
    case .leaf(let leaf) where leaf.hasPrecedence: .leaf(leaf.preceding(rivals))
    case .nothing, .leaf: self
    case .and(let operands): .and(operands.map { $0.preceding(rivals) })
    case .or(let operands): .or(operands.map { $0.preceding(rivals) })
    case .not(let positive, let negative): .not(positive.preceding(rivals), negative)
    }
  }
}
