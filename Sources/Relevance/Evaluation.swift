import JSONText

/// The evaluation of a run against judgements, by query and on average.
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
  /// The ids of the queries in ``byQuery``, in the order of evaluation.
  public let queries: [String]
  /// Queries that were skipped because no document was judged for them.
  public let skippedQueries: [String]
  /// The means over ``queries``. A query without hits counts as 0, as with trec_eval's `-c`. A query with judged but no
  /// relevant documents also counts as 0, as in trec_eval, which lowers the means of all runs equally.
  public let mean: Effectiveness
  /// The number of unjudged documents among the first 10 hits of all queries. They count as nonrelevant, so the
  /// measures are less reliable if there are many.
  public let unjudgedCount: Int

  /// Evaluates a run. As in trec_eval, of hits with equal scores in single precision, the one with the highest id comes
  /// first.
  ///
  /// - Parameters:
  ///   - run: the hits.
  ///   - judgements: the relevance judgements.
  ///   - queries: the ids of the queries to evaluate, including queries without hits, which run files do not list; nil
  ///     for the queries of the run.
  public init(of run: EvaluationRun, by judgements: RelevanceJudgements, queries wanted: [String]? = nil) {
    var byQuery: [String: Effectiveness] = [:]
    var (queries, skipped): ([String], [String]) = ([], [])
    var unjudged = 0
    for query in wanted ?? run.queries {
      let grades = judgements.exactGrades[query] ?? [:]
      let found = run.ranking(of: query, ties: .descendingIDs).map { DocumentKey($0) }
      guard let measured = Effectiveness(found, grades) else {
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
