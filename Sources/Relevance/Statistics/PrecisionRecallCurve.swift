/// The interpolated precision of a run at the recalls 0, 0.1 … 1, averaged over queries.
public struct PrecisionRecallCurve: Sendable {
  /// The mean precision at each recall.
  public let precisions: [Double]

  /// The recalls.
  public static let recalls = (0...10).map { Double($0) / 10 }

  /// Computes the curve.
  ///
  /// - Parameters:
  ///   - run: the hits.
  ///   - judgements: the relevance judgements.
  ///   - queries: the ids of the queries; nil for all queries with judgements.
  public init(_ run: EvaluationRun, by judgements: RelevanceJudgements, queries: [String]? = nil) {
    let measures = PrecisionRecallCurve.recalls.map { recall in
      var measure = Measure(.interpolatedPrecision, description: "IPrec@\(recall)")
      measure.recall = recall
      return measure
    }
    precisions = MeasuredRun(run, by: judgements, measures, queries: queries).means
  }
}
