import JSONText

/// Methods that combine several rankings of the same documents into one.
///
/// ```swift
/// let combined = RunFusion.reciprocalRank().fused([plain, expanded], depth: 1000)
/// ```
public enum RunFusion: Hashable, Sendable {
  /// Reciprocal rank fusion: the sum of 1 / (k + rank). Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
  /// outperforms Condorcet and individual Rank Learning Methods" (2009), with k = 60.
  case reciprocalRank(k: Double = 60)
  /// The sum of the scores, each normalized to 0 for the lowest and 1 for the highest of its ranking (CombSUM). Fox and
  /// Shaw, "Combination of Multiple Searches" (1994).
  case scoreSum
  /// ``scoreSum`` times the number of rankings that contain the document (CombMNZ).
  case scoreSumTimesCount

  /// Returns the combined ranking, best first. Documents with equal scores are sorted by their best ranks, and then by
  /// the order of the rankings.
  ///
  /// A term of a sum that is not finite, because of a weight, a score or the `k` of ``reciprocalRank(k:)``, counts
  /// as 0.
  ///
  /// - Parameters:
  ///   - rankings: the rankings, each best first. A document that occurs twice counts with its first hit only.
  ///   - weights: the factor of each ranking; 1 for rankings without one.
  public func fused(_ rankings: [[EvaluationRun.Hit]], weights: [Double] = []) -> [EvaluationRun.Hit] {
    var order: [DocumentKey: (rank: Int, number: Int)] = [:]
    var sums: [DocumentKey: Double] = [:]
    var counts: [DocumentKey: Int] = [:]
    for (number, ranking) in rankings.enumerated() {
      let weight = weights.indices.contains(number) ? weights[number] : 1
      var seen = Set<DocumentKey>(minimumCapacity: ranking.count)
      let ranking = ranking.filter { seen.insert(DocumentKey($0.document)).inserted }
      for (rank, (hit, score)) in zip(ranking, normalizedScores(of: ranking)).enumerated() {
        let key = DocumentKey(hit.document)
        let term = weight * score
        sums[key, default: 0] += term.isFinite ? term : 0
        counts[key, default: 0] += 1
        if order[key].map({ (rank, number) < $0 }) ?? true { order[key] = (rank, number) }
      }
    }
    if self == .scoreSumTimesCount { for (id, count) in counts { sums[id, default: 0] *= Double(count) } }
    typealias Ranked = (hit: EvaluationRun.Hit, best: (rank: Int, number: Int))
    let ranked: [Ranked] = sums.map { (EvaluationRun.Hit($0.key.text, score: $0.value), order[$0.key] ?? (0, 0)) }
    return
      ranked
      .sorted { one, other in
        one.hit.score != other.hit.score ? one.hit.score > other.hit.score : one.best < other.best
      }
      .map(\.hit)
  }

  /// Returns the reciprocal rank or the normalized score of each hit of a ranking, which is multiplied by the weight of
  /// the ranking and added to the combined score. It is 0 if it, or a score that it depends on, is not finite.
  ///
  /// - Parameter ranking: the hits, best first.
  public func normalizedScores(of ranking: [EvaluationRun.Hit]) -> [Double] {
    let scores = ranking.map(\.score)
    let finite = scores.filter(\.isFinite)
    let (lowest, highest) = (finite.min() ?? 0, finite.max() ?? 0)
    return scores.enumerated().map { rank, score in
      let normalized: Double =
        switch self {
        case .reciprocalRank(let k): 1 / (k + Double(rank + 1))
        case .scoreSum, .scoreSumTimesCount:
          if !score.isFinite { 0 } else if highest > lowest { (score - lowest) / (highest - lowest) } else { 1 }
        }
      return normalized.isFinite ? normalized : 0
    }
  }

  /// Returns the combination of several runs.
  ///
  /// - Parameters:
  ///   - runs: the runs.
  ///   - weights: the factor of each run; 1 for runs without one.
  ///   - depth: the maximum number of hits per query.
  public func fused(_ runs: [EvaluationRun], weights: [Double] = [], depth: Int = 1000) -> EvaluationRun {
    var fused = EvaluationRun()
    var seen = Set<String>()
    for query in runs.flatMap(\.queries) where seen.insert(query).inserted {
      let hits = self.fused(runs.map { $0.hits(of: query) }, weights: weights)
      fused.add(hits: Array(hits.prefix(max(0, depth))), for: query)
    }
    return fused
  }
}

extension EvaluationRun {
  /// Returns the hits of a query, best first.
  ///
  /// - Parameter query: the id of the query.
  public func hits(of query: String) -> [Hit] {
    zip(documents[query] ?? [], scores[query] ?? []).map { Hit($0, score: $1) }
  }
}
