import Foundation
public import Relevance

extension Collection {
  /// Runs a set of queries, whose results can be evaluated with ``Evaluation``.
  ///
  /// ```swift
  /// let run = try pages.run(EvaluationQuery.parse(text))
  /// ```
  ///
  /// - Parameters:
  ///   - queries: the queries to run.
  ///   - settings: the options of each search, such as syntax, index, fields and weights. Its query, limit and offset
  ///     are ignored.
  ///   - depth: the maximum number of hits per query; 1,000 is usual.
  /// - Returns: the ranked document ids of each query with their scores, including queries without hits.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)``. If a query is invalid, the message contains its id.
  public func run(
    _ queries: [EvaluationQuery], _ settings: SearchRequest = SearchRequest(""), depth: Int = 1000
  ) throws -> EvaluationRun {
    var run = EvaluationRun()
    for query in queries {
      var request = settings
      request.query = query.text
      request.limit = depth
      request.offset = 0
      do {
        run.add(hits: try rankedHits(request), for: query.id)
      } catch let error as CBLError where error.code == CBLError.invalidQuery {
        throw CBLError(error.code, "query \(query.id): \(error.message)")
      }
    }
    return run
  }
}
