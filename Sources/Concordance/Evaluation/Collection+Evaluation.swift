import Foundation
public import Relevance

extension Collection {
  /// Searches for each of some queries.
  ///
  /// - Parameters:
  ///   - queries: the queries; those for which nothing is found are in the run, too.
  ///   - settings: how to search: syntax, index, fields, weights and so on. Its query, limit and offset play no part.
  ///   - depth: how many hits of each query at most; 1,000 is what is usual.
  /// - Throws: as ``search(_:)-(SearchRequest)``, with the id of the query.
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
