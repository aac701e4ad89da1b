import JSONText

/// The values of measures for the queries of a run.
///
/// ```swift
/// let measured = MeasuredRun(run, by: judgements, [try Measure("AP"), try Measure("nDCG@20")])
/// print(measured.means)
/// ```
public struct MeasuredRun: Sendable {
  /// The measures.
  public let measures: [Measure]
  /// The ids of the queries that have judgements, in order.
  public let queries: [String]
  /// The values of the measures by query, in the order of ``measures``.
  public let values: [String: [Double]]
  /// The mean of each measure over the ``queries`` for which it is defined; for measures that count something, the sum.
  public let means: [Double]
  /// The queries for which each measure is undefined.
  private let undefined: [Set<String>]

  /// Computes measures.
  ///
  /// - Parameters:
  ///   - run: the hits.
  ///   - judgements: the relevance judgements.
  ///   - measures: the measures.
  ///   - wanted: the ids of the queries; nil for all queries with judgements, as in ir_measures. A query without hits
  ///     counts as 0, and a query without judgements does not count.
  public init(
    _ run: EvaluationRun, by judgements: RelevanceJudgements, _ measures: [Measure], queries wanted: [String]? = nil
  ) {
    var values: [String: [Double]] = [:]
    var undefined = [Set<String>](repeating: [], count: measures.count)
    let queries = (wanted ?? judgements.queries).filter { judgements.grades[$0]?.isEmpty == false }
    for query in queries {
      let grades = judgements.exactGrades[query] ?? [:]
      var rankings: [EvaluationRun.TieOrder: [DocumentKey]] = [:]
      values[query] = measures.enumerated().map { index, measure in
        let found = rankings[measure.tieOrder] ?? run.ranking(of: query, ties: measure.tieOrder).map { DocumentKey($0) }
        rankings[measure.tieOrder] = found
        if !measure.isDefined(found, grades: grades) { undefined[index].insert(query) }
        return measure.value(
          of: found, grades: grades,
          Compatibility.ideal(
            (judgements.documents[query] ?? []).map { DocumentKey($0) }, grades, run.scoresByDocument(of: query)))
      }
    }
    self.measures = measures
    self.queries = queries
    self.values = values
    self.undefined = undefined
    means = measures.indices.map { index in
      let sum = queries.reduce(0) { $0 + (values[$1]?[index] ?? 0) }
      let count = queries.count { !undefined[index].contains($0) }
      return measures[index].isSum || count == 0 ? sum : sum / Double(count)
    }
  }

  /// Returns whether a measure is defined for a query. `Accuracy` is undefined if no hit is relevant.
  ///
  /// - Parameters:
  ///   - measure: the index of the measure in ``measures``.
  ///   - query: the id of the query.
  public func isDefined(_ measure: Int, _ query: String) -> Bool {
    guard let all = values[query], all.indices.contains(measure) else { return false }
    return !undefined[measure].contains(query)
  }

  /// Returns the value of a measure for a query; 0 if it was not measured.
  ///
  /// - Parameters:
  ///   - measure: the index of the measure in ``measures``.
  ///   - query: the id of the query.
  public func value(_ measure: Int, _ query: String) -> Double {
    guard let all = values[query], all.indices.contains(measure) else { return 0 }
    return all[measure]
  }
}
