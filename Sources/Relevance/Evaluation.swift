/// A run measured by judgements, query by query and on average.
///
/// ```swift
/// let judgements = try RelevanceJudgements(parsing: qrels)
/// let run = try pages.run(EvaluationQuery.parse(queries))
/// let evaluation = Evaluation(of: run, by: judgements)
/// print(evaluation.mean.averagePrecision)
/// ```
public struct Evaluation: Sendable {
  /// The measures of each query that has judgements.
  public let byQuery: [String: Effectiveness]
  /// The queries of ``byQuery`` in their order.
  public let queries: [String]
  /// Queries that were left out, since no document was judged for them.
  public let skippedQueries: [String]
  /// The mean over ``queries``. One for which nothing was found counts with 0, as with trec_eval's `-c`, and so does one for which
  /// documents were judged but none is relevant: that trec_eval counts such queries lowers the means of all runs alike.
  public let mean: Effectiveness
  /// How many of the first 10 hits of the queries nobody has judged. They count as not relevant; where there are many of them, the
  /// measures say less.
  public let unjudgedCount: Int

  /// Measures a run.
  ///
  /// - Parameters:
  ///   - run: what was found.
  ///   - judgements: what is relevant.
  ///   - queries: the ids of the queries to measure, since files of runs do not name those for which nothing was found; nil for
  ///     those of the run.
  public init(of run: EvaluationRun, by judgements: RelevanceJudgements, queries wanted: [String]? = nil) {
    var byQuery: [String: Effectiveness] = [:]
    var (queries, skipped): ([String], [String]) = ([], [])
    var unjudged = 0
    for query in wanted ?? run.queries {
      let grades = judgements.grades[query] ?? [:]
      let found = run.documents[query] ?? []
      guard let measured = Effectiveness(of: found, grades: grades) else {
        skipped.append(query)
        continue
      }
      byQuery[query] = measured
      queries.append(query)
      unjudged += found.prefix(10).count { grades[$0] == nil }
    }
    self.byQuery = byQuery
    self.queries = queries
    skippedQueries = skipped
    mean = Effectiveness.mean(of: queries.compactMap { byQuery[$0] })
    unjudgedCount = unjudged
  }
}
