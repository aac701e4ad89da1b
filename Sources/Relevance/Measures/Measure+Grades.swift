extension Measure {
  /// The highest grade of `ERR`. The probability that a user stops at a document is (2^grade − 1) / 16.
  static let highestGrade = 4
  /// The highest gain of `nDCG` with the exponential formula. Powers of 2 of larger gains lose all precision or are
  /// infinite.
  static let highestExponent = 60

  /// Checks that the grades of judgements are not higher than the measure supports: 4 for `ERR`, and 60 for `nDCG` with
  /// `dcg='exp-log2'` unless `gains` replaces them.
  ///
  /// - Throws: ``MeasureError`` that names the first document whose grade is too high.
  package func check(_ judgements: RelevanceJudgements) throws {
    let highest: Int
    switch family {
    case .expectedReciprocalRank: highest = Measure.highestGrade
    case .nDCG where gain == .exponential: highest = Measure.highestExponent
    default: return
    }
    for query in judgements.queries {
      for document in judgements.documents[query] ?? [] {
        guard let grade = judgements.grade(of: document, for: query), grade > highest, gains[grade] == nil else {
          continue
        }
        throw MeasureError(
          description:
            "the measure \"\(description)\" supports grades up to \(highest); the document \"\(document)\" has "
            + "the grade \(grade) for the query \"\(query)\"")
      }
    }
  }
}
