import JSONText

/// The rank-biased overlap of the hits with an ideal ranking: Clarke, Vtyurina and Smucker, "Assessing Top-k
/// Preferences" (2021).
struct Compatibility {
  private let ranking: [DocumentKey]
  private let ideal: [DocumentKey]
  private let persistence: Double

  init(_ found: [DocumentKey], ideal: [DocumentKey], _ persistence: Double) {
    ranking = found
    self.ideal = ideal
    self.persistence = persistence
  }

  /// Returns the ideal order of the relevant documents, as in ir_measures: by grade, then by the score in the run, and
  /// then in the order of the judgements. A document that the run does not contain has the score 0.
  ///
  /// - Parameter judged: the judged documents, in the order of the judgements.
  static func ideal(
    _ judged: [DocumentKey], _ grades: [DocumentKey: Int], _ scores: [DocumentKey: Double]
  ) -> [DocumentKey] {
    judged.enumerated().map { (id: $1, position: $0, grade: grades[$1] ?? 0, score: scores[$1] ?? 0) }
      .filter { $0.grade > 0 }
      .sorted { ($1.grade, $1.score, $0.position) < ($0.grade, $0.score, $1.position) }.map(\.id)
  }

  func value(normalizing: Bool) -> Double {
    let value = overlap(ranking, ideal)
    let best = normalizing ? overlap(ideal, ideal) : 1
    return best > 0 ? value / best : value
  }

  private func overlap(_ one: [DocumentKey], _ other: [DocumentKey]) -> Double {
    var (seen, otherSeen): (Set<DocumentKey>, Set<DocumentKey>) = ([], [])
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
