import Foundation
public import Relevance

extension Collection {
  /// Searches for each of a list of queries, to measure the hits with ``Evaluation``.
  ///
  /// ```swift
  /// let run = try pages.run(EvaluationQuery.parse(text))
  /// ```
  ///
  /// - Parameters:
  ///   - queries: the queries. Those without hits are in the run, too.
  ///   - settings: the options of each search: syntax, index, fields, weights and so on. Its query, limit and offset
  ///     are ignored.
  ///   - depth: the maximum number of hits of each query; 1,000 is usual.
  /// - Throws: ``CBLError`` as ``search(_:)-(SearchRequest)``, with the id of the query.
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
        run.add(try searchIDs(request), for: query.id)
      } catch let error as CBLError where error.code == CBLError.invalidQuery {
        throw CBLError(error.code, "query \(query.id): \(error.message)")
      }
    }
    return run
  }
}
