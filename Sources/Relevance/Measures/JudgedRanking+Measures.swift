import Foundation

/// Measures of hits with grades. `minimum` is the lowest grade of a relevant document. If no document is relevant, the
/// measures are 0.
extension JudgedRanking {
  func averagePrecision(_ minimum: Int, _ cutoff: Int?) -> Double {
    var (found, sum) = (0, 0.0)
    for (index, isRelevant) in relevance(minimum, cutoff: cutoff).enumerated() where isRelevant {
      found += 1
      sum += Double(found) / Double(index + 1)
    }
    return divided(sum, by: relevantCount(minimum))
  }

  func recall(_ minimum: Int, _ cutoff: Int?) -> Double {
    divided(Double(relevantHitCount(minimum, cutoff: cutoff)), by: relevantCount(minimum))
  }

  func setPrecision(_ minimum: Int) -> Double { divided(Double(relevantHitCount(minimum)), by: count) }

  func reciprocalRank(_ minimum: Int, _ cutoff: Int?) -> Double {
    relevance(minimum, cutoff: cutoff).firstIndex(of: true).map { 1 / Double($0 + 1) } ?? 0
  }

  /// trec_eval's `bpref`: Buckley and Voorhees, "Retrieval Evaluation with Incomplete Information" (2004).
  func binaryPreference(_ minimum: Int) -> Double {
    let relevantCount = relevantCount(minimum)
    let nonrelevantCount = judged.count { $0 >= 0 && $0 < minimum }
    var (nonrelevant, sum) = (0, 0.0)
    for grade in grades.compactMap({ $0 }) where grade >= 0 {
      if grade < minimum {
        nonrelevant += 1
      } else if nonrelevant > 0 {
        sum += 1 - Double(min(nonrelevant, relevantCount)) / Double(min(nonrelevantCount, relevantCount))
      } else {
        sum += 1
      }
    }
    return divided(sum, by: relevantCount)
  }

  /// trec_eval's `infAP`: Yilmaz and Aslam, "Estimating Average Precision with Incomplete and Imperfect Judgments"
  /// (2006). Unjudged documents of the pool have a negative grade.
  func inferredAveragePrecision(_ minimum: Int) -> Double {
    let epsilon = 0.00001
    var (relevant, nonrelevant, unjudged, sum) = (0.0, 0.0, 0.0, 0.0)
    for (index, grade) in grades.enumerated() {
      guard let grade else { continue }
      if grade < 0 {
        unjudged += 1
      } else if grade < minimum {
        nonrelevant += 1
      } else {
        relevant += 1
        let before = Double(index)
        sum +=
          index == 0
          ? 1
          : 1 / (before + 1) + before / (before + 1) * ((relevant - 1 + nonrelevant + unjudged) / before)
            * ((relevant - 1 + epsilon) / (relevant - 1 + nonrelevant + 2 * epsilon))
      }
    }
    return divided(sum, by: relevantCount(minimum))
  }

  /// trec_eval's `iprec_at_recall`: the highest precision at this recall or a higher one.
  func interpolatedPrecision(_ minimum: Int, recall: Double) -> Double {
    let needed = Int(recall * Double(relevantCount(minimum)) + 0.9)
    var (found, highest) = (0, 0.0)
    for (index, isRelevant) in relevance(minimum).enumerated() {
      if isRelevant { found += 1 }
      if found >= needed, found > 0 { highest = max(highest, Double(found) / Double(index + 1)) }
    }
    return highest
  }

  /// gdeval's ERR: Chapelle et al., "Expected Reciprocal Rank for Graded Relevance" (2009), with the highest grade 4.
  /// Higher grades count as 4.
  func expectedReciprocalRank(_ cutoff: Int?) -> Double {
    var (sum, continuing) = (0.0, 1.0)
    for (index, grade) in grades.prefix(cutoff ?? count).enumerated() {
      let stopping = (exp2(Double(min(max(0, grade ?? 0), Measure.highestGrade))) - 1) / 16
      sum += stopping * continuing / Double(index + 1)
      continuing *= 1 - stopping
    }
    return sum
  }

  /// Moffat and Zobel, "Rank-Biased Precision for Measurement of Retrieval Effectiveness" (2008).
  func rankBiasedPrecision(_ minimum: Int, _ cutoff: Int?, _ persistence: Double) -> Double {
    var (sum, weight) = (0.0, 1 - persistence)
    for isRelevant in relevance(minimum, cutoff: cutoff) {
      if isRelevant { sum += weight }
      weight *= persistence
    }
    return sum
  }

  /// The probability that a relevant hit is ranked above a nonrelevant one.
  func accuracy(_ minimum: Int, _ cutoff: Int?) -> Double {
    var nonrelevant = 0
    var before: [Int] = []
    for isRelevant in relevance(minimum, cutoff: cutoff) {
      if isRelevant { before.append(nonrelevant) } else { nonrelevant += 1 }
    }
    guard !before.isEmpty, nonrelevant > 0 else { return before.isEmpty ? 0 : 1 }
    return 1 - Double(before.reduce(0, +)) / (Double(nonrelevant) * Double(before.count))
  }

  private func divided(_ value: Double, by count: Int) -> Double { count == 0 ? 0 : value / Double(count) }
}

/// The rank-biased overlap of the hits with an ideal ranking: Clarke, Vtyurina and Smucker, "Assessing Top-k
/// Preferences" (2021).
struct Compatibility {
  private let ranking: [String]
  private let ideal: [String]
  private let persistence: Double

  init(_ found: [String], ideal: [String], _ persistence: Double) {
    ranking = found
    self.ideal = ideal
    self.persistence = persistence
  }

  /// Returns the ideal order of the relevant documents, as in ir_measures: by grade, then by the score in the run, and
  /// then in the order of the judgements. A document that the run does not contain has the score 0.
  ///
  /// - Parameter judged: the judged documents, in the order of the judgements.
  static func ideal(_ judged: [String], _ grades: [String: Int], _ scores: [String: Double]) -> [String] {
    judged.enumerated().map { (id: $1, position: $0, grade: grades[$1] ?? 0, score: scores[$1] ?? 0) }
      .filter { $0.grade > 0 }
      .sorted { ($1.grade, $1.score, $0.position) < ($0.grade, $0.score, $1.position) }.map(\.id)
  }

  func value(normalizing: Bool) -> Double {
    let value = overlap(ranking, ideal)
    let best = normalizing ? overlap(ideal, ideal) : 1
    return best > 0 ? value / best : value
  }

  private func overlap(_ one: [String], _ other: [String]) -> Double {
    var (seen, otherSeen): (Set<String>, Set<String>) = ([], [])
    var (common, sum, total, weight) = (0, 0.0, 0.0, 1.0)
    for depth in 0..<max(ranking.count, ideal.count) {
      if depth < one.count, seen.insert(one[depth]).inserted, otherSeen.contains(one[depth]) { common += 1 }
      if depth < other.count, otherSeen.insert(other[depth]).inserted, seen.contains(other[depth]) { common += 1 }
      sum += weight * Double(common) / Double(depth + 1)
      total += weight
      weight *= persistence
    }
    return total == 0 ? 0 : sum / total
  }
}
