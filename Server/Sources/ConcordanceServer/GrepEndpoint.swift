import Concordance
import HTTPTypes
import Hummingbird
import NIOCore

/// Finds lines that match regular expressions and streams them as messages in the format of `rg --json`.
enum GrepEndpoint {
  /// The maximum number of context lines before or after a match.
  private static let maximumContext = 100

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/databases/{database}/collections/{collection}/grep", operation: "grep",
      summary: "Finds the lines that match a regular expression and streams them in ripgrep's JSON format.",
      parameters: [
        .init(name: "pattern", schema: .string, summary: "The regular expression.", isRequired: true),
        .init(
          name: "case", schema: .choice(["smart", "sensitive", "insensitive"]),
          summary: "Whether case matters; with smart, the default, only if the pattern contains an uppercase letter."),
        .init(name: "literal", schema: .boolean, summary: "Whether the pattern is literal text."),
        .init(name: "word", schema: .boolean, summary: "Whether matches are whole words."),
        .init(name: "line", schema: .boolean, summary: "Whether matches are whole lines."),
        .init(name: "invert", schema: .boolean, summary: "Whether to find the lines that do not match."),
        .init(name: "multiline", schema: .boolean, summary: "Whether matches may span lines."),
        .init(
          name: "before", schema: .countAtMost(maximumContext),
          summary: "The number of context lines before a match; 0 by default."),
        .init(
          name: "after", schema: .countAtMost(maximumContext),
          summary: "The number of context lines after a match; 0 by default."),
        .init(name: "field", schema: .string, summary: "The property to search; text by default."),
        .init(name: "files", schema: .string, summary: "Comma-separated ids or prefixes of ids."),
        .init(name: "order", schema: .choice(["stored", "id", "modified"]), summary: "The order; stored by default."),
        .init(name: "limit", schema: .count, summary: "The maximum number of documents with matches; all by default."),
        .init(name: "maxCount", schema: .count, summary: "The maximum number of matching lines in a document."),
        .init(
          name: "partial", schema: .boolean,
          summary: "Whether PostgreSQL servers that cannot be reached are left out; the summary lists them."),
      ], responses: [(200, "The messages.", "application/x-ndjson")], handle: grep)
  ]

  private static func grep(_ input: RequestInput) async throws -> Response {
    let request = try request(input)
    let limit = input.string("limit") == nil ? Int.max : try input.count("limit", default: 0)
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
          search(request, limit, collection, pipe, limits)
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
  private static func search(
    _ request: PatternSearchRequest, _ limit: Int, _ collection: Concordance.Collection, _ pipe: ThreadPipe,
    _ limits: ServerLimits
  ) {
    let start = ContinuousClock.now
    var counts = GrepCounts()
    do {
      guard limit > 0 else {
        _ = pipe.write(GrepMessages.summary(counts))
        return
      }
      let sizeOf: @Sendable (GrepMessages.Found) -> Int = { $0.bytes.count }
      let summary = try collection.searchLines(request, sizeOf: sizeOf) { document in
        try GrepMessages.messages(of: document)
      } deliver: { found in
        counts.add(found)
        return pipe.write(found.bytes) && counts.foundCount < limit
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

  private static func request(_ input: RequestInput) throws -> PatternSearchRequest {
    var request = PatternSearchRequest(try input.required("pattern"))
    switch input.string("case") ?? "smart" {
    case "smart": request.letterCase = .smart
    case "sensitive": request.letterCase = .sensitive
    case "insensitive": request.letterCase = .insensitive
    default: throw Problem.invalidParameter("case", "expected smart, sensitive or insensitive")
    }
    switch input.string("order") ?? "stored" {
    case "stored": request.order = .stored
    case "id": request.order = .id
    case "modified": request.order = .modified
    default: throw Problem.invalidParameter("order", "expected stored, id or modified")
    }
    request.isLiteral = try input.boolean("literal", default: false)
    request.matchesWords = try input.boolean("word", default: false)
    request.matchesWholeLines = try input.boolean("line", default: false)
    request.isInverted = try input.boolean("invert", default: false)
    request.isMultiline = try input.boolean("multiline", default: false)
    request.linesBefore = try input.count("before", default: 0, limit: maximumContext)
    request.linesAfter = try input.count("after", default: 0, limit: maximumContext)
    request.allowsPartialResults = try input.boolean("partial", default: false)
    request.field = input.string("field")
    request.idPrefixes = input.list("files") ?? []
    request.numbersLines = true
    request.timeout = input.server.options.limits.queryTime
    if input.string("maxCount") != nil { request.maximumCount = try input.count("maxCount", default: 0) }
    return request
  }
}
