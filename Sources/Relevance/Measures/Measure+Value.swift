import Foundation
import JSONText

extension Measure {
  /// Returns the measure of a query's hits.
  ///
  /// Grades that the measure does not support count as the highest that it supports. If a document occurs twice in the
  /// hits, only its first position counts.
  ///
  /// - Parameters:
  ///   - found: the ids of the hits, best first.
  ///   - grades: the grades of the judged documents.
  public func value(of found: [String], grades: [String: Int]) -> Double {
    let found = DocumentKey.ranking(found)
    let grades = DocumentKey.grades(grades)
    // Without scores and an order of the judgements, documents with equal grades are ideally in the order of the hits.
    let scores = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1, Double(found.count - $0)) })
    return value(of: found, grades: grades, Compatibility.ideal(grades.keys.sorted(), grades, scores))
  }

  /// Returns the measure of a query's hits.
  ///
  /// - Parameters:
  ///   - found: the hits, best first, without duplicates.
  ///   - grades: the grades of the judged documents.
  ///   - ideal: the ideal order of the relevant documents, for `Compat`.
  func value(
    of found: [DocumentKey], grades: [DocumentKey: Int], _ ideal: @autoclosure () -> [DocumentKey]
  ) -> Double {
    let ranking = JudgedRanking(found, grades, judgedOnly: judgedOnly)
    // 1 is the default of ir_measures.
    let minimum = relevantGrade ?? 1
    switch family {
    case .averagePrecision: return ranking.averagePrecision(minimum, cutoff)
    case .nDCG: return ranking.normalizedGain(cutoff) { numericGain(of: $0) }
    case .precision: return cutoff.map { ranking.precision(minimum, $0) } ?? 0
    case .recall: return ranking.recall(minimum, cutoff)
    case .reciprocalRank: return ranking.reciprocalRank(minimum, cutoff)
    case .rPrecision: return ranking.recall(minimum, ranking.relevantCount(minimum))
    case .success: return ranking.relevantHitCount(minimum, cutoff: cutoff) > 0 ? 1 : 0
    case .binaryPreference: return ranking.binaryPreference(minimum)
    case .inferredAveragePrecision: return ranking.inferredAveragePrecision(minimum)
    case .interpolatedPrecision: return recall.map { ranking.interpolatedPrecision(minimum, recall: $0) } ?? 0
    case .judged:
      let top = ranking.grades.prefix(cutoff ?? ranking.count)
      return top.isEmpty ? 0 : Double(top.count { $0 != nil }) / Double(top.count)
    case .expectedReciprocalRank: return ranking.expectedReciprocalRank(cutoff)
    case .rankBiasedPrecision: return ranking.rankBiasedPrecision(minimum, cutoff, persistence)
    case .accuracy: return ranking.accuracy(minimum, cutoff)
    case .compatibility: return Compatibility(found, ideal: ideal(), persistence).value(normalizing: normalizes)
    case .setPrecision: return ranking.setPrecision(minimum)
    case .setRelativePrecision:
      let best = min(ranking.count, ranking.relevantCount(minimum))
      return best == 0 ? 0 : Double(ranking.relevantHitCount(minimum)) / Double(best)
    case .setRecall: return ranking.recall(minimum, nil)
    case .setF:
      let (precision, recall) = (ranking.setPrecision(minimum), ranking.recall(minimum, nil))
      let denominator = beta * precision + recall
      return denominator == 0 ? 0 : (1 + beta) * precision * recall / denominator
    case .setAveragePrecision: return ranking.setPrecision(minimum) * ranking.recall(minimum, nil)
    case .hitCount:
      return Double(relevantGrade.map { ranking.relevantHitCount($0) } ?? ranking.count)
    // As in trec_eval, queries that the run does not contain do not count.
    case .relevantCount: return found.isEmpty ? 0 : Double(ranking.relevantCount(minimum))
    case .relevantHitCount: return Double(ranking.relevantHitCount(minimum))
    case .queryCount: return found.isEmpty ? 0 : 1
    }
  }

  /// Returns whether a query is included in the mean: for `Accuracy`, only if a hit is relevant.
  func isDefined(_ found: [DocumentKey], grades: [DocumentKey: Int]) -> Bool {
    family != .accuracy
      || JudgedRanking(found, grades).relevantHitCount(relevantGrade ?? 1, cutoff: cutoff) > 0
  }

  /// Returns the gain of a grade, at least 0.
  private func numericGain(of grade: Int) -> Double {
    let value = max(0, gains[grade] ?? grade)
    return gain == .linear ? Double(value) : exp2(Double(min(value, Measure.highestExponent))) - 1
  }
}
