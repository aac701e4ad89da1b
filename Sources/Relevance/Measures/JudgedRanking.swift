import JSONText

/// The hits of a query with their grades, from which measures are computed.
struct JudgedRanking {
  /// The grades of the hits, best first; nil for documents without a judgement.
  let grades: [Int?]
  /// The grades of all judged documents.
  let judged: [Int]

  /// Creates a ranking.
  ///
  /// - Parameters:
  ///   - found: the hits, best first, without duplicates.
  ///   - judgements: the grades of the judged documents.
  ///   - judgedOnly: whether documents without a judgement, or with a negative grade, are removed from the hits first.
  init(_ found: [DocumentKey], _ judgements: [DocumentKey: Int], judgedOnly: Bool = false) {
    let grades = found.map { judgements[$0] }
    self.grades = judgedOnly ? grades.filter { ($0 ?? -1) >= 0 } : grades
    judged = Array(judgements.values)
  }

  /// The number of hits.
  var count: Int { grades.count }

  /// Returns the number of judged documents with at least this grade.
  func relevantCount(_ minimum: Int) -> Int { judged.count { $0 >= minimum } }

  /// Returns whether the hits up to a cutoff are relevant.
  ///
  /// - Parameters:
  ///   - minimum: the lowest grade of a relevant document.
  ///   - cutoff: the number of hits; nil for all.
  func relevance(_ minimum: Int, cutoff: Int? = nil) -> [Bool] {
    grades.prefix(cutoff ?? grades.count).map { grade in grade.map { $0 >= minimum } ?? false }
  }

  /// Returns the number of relevant hits up to a cutoff.
  func relevantHitCount(_ minimum: Int, cutoff: Int? = nil) -> Int {
    relevance(minimum, cutoff: cutoff).count { $0 }
  }
}
