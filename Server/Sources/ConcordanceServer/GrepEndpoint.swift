import Concordance
import HTTPTypes
import Hummingbird
import NIOCore

/// Finds lines that match regular expressions and streams them as messages in the format of `rg --json`.
enum GrepEndpoint {
  private static let path = "/databases/{database}/collections/{collection}/grep"
  private static let responses = [
    (status: 200, description: "The messages.", mediaType: Optional("application/x-ndjson"))
  ]

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: path, operation: "grep",
      summary: "Finds the lines that match a regular expression and streams them in ripgrep's JSON format.",
      parameters: GrepRequestReader.parameters, responses: responses
    ) { try await grep(GrepRequestReader(input: $0).query(), $0) },
    Endpoint(
      method: .post, path: path, operation: "grepWithBody",
      summary: "Finds the lines that match a regular expression, with a list of ids that may contain commas.",
      body: ("application/json", GrepRequestReader.bodySchema), bodyLimit: Endpoint.optionLimit, responses: responses
    ) { try await grep(GrepRequestReader(input: $0).body(), $0) },
  ]

  private static func grep(_ search: GrepRequestReader.Search, _ input: RequestInput) async throws -> Response {
    let request = search.request
    let collection = try await input.withExistingCollection()
    // The request is checked before the response starts, so that an error in it sets the HTTP status. Compiling a long
    // pattern would delay the other connections of the event loop.
    try await collection.database.async.perform { _ in try request.check() }
    // Waits before the response starts, so that a rejection sets the HTTP status.
    let permit = try await input.server.limits(of: collection.database).greps.permit()
    let limits = input.server.options.limits
    return input.streamedResponse("application/x-ndjson") { sink in
      defer { withExtendedLifetime(permit) {} }
      let pipe = ThreadPipe(timeLimit: request.timeout ?? .seconds(10))
      async let isComplete: Bool = {
        // The search never starts if the task is cancelled or the database is closed.
        defer { pipe.end() }
        return try await collection.database.async.perform { _ in
          run(search, collection, pipe, limits)
          return pipe.flush()
        }
      }()
      await withTaskCancellationHandler {
        for await part in pipe.parts {
          guard (try? await sink.send(part)) != nil else { break }
          pipe.consumed()
        }
        pipe.cancel()
      } onCancel: {
        pipe.cancel()
      }
      // An incomplete response must not end as if it were complete.
      guard try await isComplete else {
        throw Problem(.serviceUnavailable, "query_time_exceeded", "the client did not read the lines in time")
      }
    }
  }

  /// Searches on the calling thread.
  private static func run(
    _ search: GrepRequestReader.Search, _ collection: Concordance.Collection, _ pipe: ThreadPipe, _ limits: ServerLimits
  ) {
    let start = ContinuousClock.now
    var counts = GrepCounts()
    do {
      guard search.limit > 0 else {
        _ = pipe.write(GrepMessages.summary(counts))
        return
      }
      let sizeOf: @Sendable (GrepMessages.Found) -> Int = { $0.bytes.count }
      let summary = try collection.searchLines(search.request, sizeOf: sizeOf) { document in
        try GrepMessages.messages(of: document, maximumColumns: search.maximumColumns)
      } deliver: { found in
        counts.add(found)
        return pipe.write(found.bytes) && counts.foundCount < search.limit
      }
      counts.documentCount = summary.documentCount
      counts.byteCount = summary.byteCount
      counts.missingServers = summary.missingServers
      counts.seconds = start.duration(to: .now) / .seconds(1)
      _ = pipe.write(GrepMessages.summary(counts))
    } catch {
      _ = pipe.write(GrepMessages.error(Problem(error, limits: limits)))
    }
  }
}
