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

  /// nDCG: Järvelin and Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques" (2002).
  ///
  /// - Parameter gain: returns the gain of a grade, at least 0.
  func normalizedGain(_ cutoff: Int?, gain: (Int) -> Double) -> Double {
    func discounted(_ gains: some Collection<Double>) -> Double {
      gains.enumerated().reduce(0) { $0 + $1.element / log2(Double($1.offset + 2)) }
    }
    let ideal = judged.map { gain($0) }.filter { $0 > 0 }.sorted(by: >)
    guard !ideal.isEmpty else { return 0 }
    let limit = cutoff ?? max(ideal.count, count)
    let found = grades.prefix(limit).map { grade in grade.map { gain($0) } ?? 0 }
    return discounted(found) / discounted(ideal.prefix(limit))
  }

  func precision(_ minimum: Int, _ cutoff: Int) -> Double {
    Double(relevantHitCount(minimum, cutoff: cutoff)) / Double(cutoff)
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
