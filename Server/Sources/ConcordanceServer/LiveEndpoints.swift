@_spi(Command) import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText

/// Live queries and live searches, which send the differences between results as server-sent events.
enum LiveEndpoints {
  private static let events = [(status: 200, description: "The differences.", mediaType: Optional("text/event-stream"))]
  private static let identity = Endpoint.Parameter(
    name: "identifiedBy", schema: .string,
    summary: "The column that identifies a row; by default the document id or, if there is none, the whole row.")

  /// The maximum size in bytes of the rows of a live query. All rows of the last two runs are in memory.
  private static let maximumSize = 16 << 20

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/databases/{database}/query/live", operation: "liveQuery",
      summary: "Reruns an SQL++ query when documents change and sends the differences between its rows.",
      parameters: [.init(name: "q", schema: .string, summary: "The query.", isRequired: true), identity],
      hasQueryParameters: true, responses: events
    ) { try await live($0.required("q"), $0.queryParameters(), identifiedBy: $0.string("identifiedBy"), $0) },
    Endpoint(
      method: .post, path: "/databases/{database}/query/live", operation: "liveQueryWithBody",
      summary: "Runs a live SQL++ query with parameters.",
      body: (
        "application/json",
        .object([:], optional: ["q": .string, "query": .string, "parameters": .object, "identifiedBy": .string])
      ), bodyLimit: Endpoint.optionLimit, responses: events
    ) { input in
      let body = try JSONBody(input.bodyObject(), keys: ["q", "query", "parameters", "identifiedBy"])
      return try await live(
        body.query(), body.parameters("parameters"), identifiedBy: body.string("identifiedBy"), input)
    },
    Endpoint(
      method: .get, path: "/databases/{database}/collections/{collection}/search/live", operation: "liveSearch",
      summary: "Reruns a search when documents change and sends the differences between its hits.",
      parameters: SearchRequestReader.liveParameters, responses: events
    ) { try await live(SearchRequestReader(input: $0).query(), $0) },
    Endpoint(
      method: .post, path: "/databases/{database}/collections/{collection}/search/live",
      operation: "liveSearchWithBody", summary: "Runs a live search with all options.",
      body: ("application/json", SearchRequestReader.liveBodySchema), bodyLimit: Endpoint.optionLimit, responses: events
    ) { try await live(SearchRequestReader(input: $0).body(), $0) },
  ]

  private static func live(_ search: SearchRequestReader.Search, _ input: RequestInput) async throws -> Response {
    guard !search.request.allowsPartialResults else {
      throw Problem.invalidParameter("partial", "a live search needs all servers; remove the parameter")
    }
    let collection = try await input.withCollection { collection in
      // The search runs once before the response starts, so that an error in the request sets the HTTP status.
      try SearchRequestReader.namingParameters(of: search.request) {
        try RankingParameters.check(search.request, in: collection)
        _ = try collection.search(search.request)
      }
      return collection
    }
    return try await input.eventResponse { events in
      try await input.reportingDeletedCollection {
        for try await result in collection.searchDifferences(search.request) {
          // On a thread of the database, because hits may contain large documents.
          let data = try await collection.database.async.perform { _ in
            let writer = SearchResponseWriter(search.request, result.results, search.contents)
            return JSONLine.bytes(of: writer.bytes(of: result.difference))
          }
          try await events.send("difference", data: data)
        }
      }
    }
  }

  private static func live(
    _ text: String, _ parameters: Concordance.Parameters?, identifiedBy column: String?, _ input: RequestInput
  ) async throws -> Response {
    let timeout = input.server.options.limits.queryTimeout
    let query = try await input.database().async.perform { database in
      let query = try database.createQuery(text)
      query.timeout = timeout
      query.parameters = parameters
      let names = try query.columnNames()
      guard column.map({ names.contains($0) }) ?? true else {
        throw Problem.invalidParameter("identifiedBy", "the query has no column \"\(column ?? "")\"")
      }
      return query
    }
    return try await input.eventResponse { events in
      let limit = input.server.options.limits.resultCount
      do {
        for try await result in query.differences(
          identifiedBy: column, maximumRowCount: limit, maximumSize: maximumSize)
        {
          // On a thread of the database, because rows may be large.
          let data = try await input.database().async.perform { _ in
            let rows = Array(result.results)
            var writer = JSONWriter()
            writer.object { writer in
              writer.write(result.difference, name: "row") { $0.write(rawJSON: rows[$1].toJSON().utf8) }
              writer.member("count", rows.count)
            }
            return JSONLine.bytes(of: writer.bytes)
          }
          try await events.send("difference", data: data)
        }
      } catch let error as CBLError where error.isRowLimitExceeded {
        throw Problem(
          .badRequest, "too_many_rows",
          "the live query has more than \(limit) rows, the limit of this server; add a LIMIT clause")
      } catch let error as CBLError where error.isSizeLimitExceeded {
        throw Problem(
          .badRequest, "too_large",
          "the rows of the live query have more than \(maximumSize >> 20) MiB; select fewer properties or add a LIMIT "
            + "clause")
      } catch let error as CBLError where error.code == CBLError.invalidQuery {
        // The query was valid before.
        if try await !isValid(text, input) { throw Problem.notFound("a collection that the query reads was deleted") }
        throw error
      }
    }
  }

  /// Returns whether a query can be compiled.
  private static func isValid(_ text: String, _ input: RequestInput) async throws -> Bool {
    try await input.database().async.perform { database in
      do {
        _ = try database.createQuery(text).columnNames()
        return true
      } catch let error as CBLError where error.code == CBLError.invalidQuery {
        return false
      }
    }
  }
}

extension JSONWriter {
  /// Writes the members of a difference: the positions, and the new elements at inserted and updated positions.
  mutating func write(_ difference: ListDifference, name: String, element: (inout JSONWriter, Int) -> Void) {
    member("deletions") { writer in writer.array { writer in difference.deletions.forEach { writer.write(Int64($0)) } }
    }
    list("insertions", of: difference.insertions) { writer, index in
      writer.member("index", index)
      writer.member(name) { element(&$0, index) }
    }
    list("moves", of: difference.moves) { writer, step in
      writer.member("from", step.old)
      writer.member("to", step.new)
    }
    list("updates", of: difference.updates) { writer, step in
      writer.member("from", step.old)
      writer.member("index", step.new)
      writer.member(name) { element(&$0, step.new) }
    }
  }
}
