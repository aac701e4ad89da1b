import Concordance
import Foundation
import HTTPTypes

extension SearchRequestReader {
  /// Runs a search. If it fails, the error names the request parameter that caused it. The library's messages name the
  /// properties of `SearchRequest` instead.
  static func namingParameters<T>(of request: SearchRequest, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CBLError where error.code == CBLError.invalidQuery {
      var problem = Problem(error)
      for (part, name) in [("where: ", "filter"), ("sort: ", "sort")] where error.message.hasPrefix(part) {
        problem.parameter = name
        problem.detail = "\(name): \(error.message.dropFirst(part.count))"
      }
      if problem.parameter == nil,
        request.fields?.contains(where: { error.message.contains("no field \"\($0)\"") }) == true
      {
        problem.parameter = "fields"
        problem.detail = "fields: \(error.message)"
      }
      throw problem
    }
  }

  /// The time in which properties are looked for. Looking for one that no document has reads all documents, which may
  /// take longer than the search.
  private static let warningTime = Duration.milliseconds(200)

  /// Returns a message for each property in a request that no document has, if this may explain the result.
  static func warnings(
    _ request: SearchRequest, _ results: SearchResults, in collection: Concordance.Collection
  ) -> [String] {
    let narrows = request.where != nil || !request.selections.isEmpty
    // Counting the properties needs all servers.
    guard results.missingServers.isEmpty else { return [] }
    guard
      request.sort != nil || results.hits.isEmpty && narrows
        || results.facets.contains(where: { $0.documentCount == 0 })
    else { return [] }
    var limited = request
    limited.timeout = min(warningTime, request.timeout ?? warningTime)
    // The results are complete without the warnings: an error, such as the time limit, means that there are none.
    return ((try? collection.unknownProperties(of: limited)) ?? []).map(\.message)
  }
}
