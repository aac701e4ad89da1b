@_spi(Command) import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Runs SQL++ queries. Rows are streamed, so large results need little memory.
enum QueryEndpoints {
  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/databases/{database}/query", operation: "query", summary: "Runs an SQL++ query.",
      parameters: [
        .init(name: "q", schema: .string, summary: "The query.", isRequired: true), format, explain,
      ], hasQueryParameters: true, responses: responses, result: result
    ) { input in
      try await run(
        input.required("q"), input.queryParameters(), format: input.string("format"),
        explains: input.boolean("explain", default: false),
        input)
    },
    Endpoint(
      method: .post, path: "/databases/{database}/query", operation: "queryWithBody",
      summary: "Runs an SQL++ query with parameters.",
      body: ("application/json", bodySchema), bodyLimit: Endpoint.optionLimit, responses: responses, result: result
    ) { input in
      let body = try JSONBody(input.bodyObject(), keys: ["q", "query", "parameters", "format", "explain"])
      return try await run(
        body.query(), body.parameters("parameters"), format: body.string("format"),
        explains: body.boolean("explain", default: false), input)
    },
  ]

  private static let format = Endpoint.Parameter(
    name: "format", schema: .choice(RowFormat.allCases.map(\.rawValue)), summary: "The format of the rows.")
  private static let explain = Endpoint.Parameter(
    name: "explain", schema: .boolean, summary: "Whether to return the plan instead of the rows.")
  private static let responses = [
    (200, "The rows.", Optional("application/json")), (200, "The rows.", "application/x-ndjson"),
    (200, "The rows.", "text/csv"),
  ].map { (status: $0.0, description: $0.1, mediaType: $0.2) }
  /// Rows, or an explanation.
  private static let result = JSONSchema.anyOf(
    .object(["columns": .array(.string), "rows": .array(.object)], optional: ["warnings": .array(.string)]), explanation
  )
  private static let explanation = JSONSchema(
    text: #"{"type":"object","required":["query","steps","filters","notes","sql"],"properties":{"query":"#
      + #"{"type":"string"},"steps":{"type":"array","items":{"type":"object"}},"sql":{"type":"string"}}}"#)
  private static let bodySchema = JSONSchema.object(
    [:],
    optional: ["q": .string, "query": .string, "parameters": .object, "format": format.schema, "explain": .boolean])

  static func run(
    _ text: String, _ parameters: Concordance.Parameters?, format name: String?, explains: Bool, _ input: RequestInput
  ) async throws -> Response {
    guard let format = RowFormat(rawValue: name ?? "json") else {
      throw Problem.invalidParameter("format", "expected json, ndjson or csv")
    }
    if explains, name != nil {
      throw Problem.invalidParameter("format", "the plan is always JSON; leave out format or explain")
    }
    let timeout = input.server.options.limits.queryTimeout
    // The query is compiled before the response starts, so that an error in it sets the HTTP status.
    let prepared = try await input.database().async.perform { database in
      let query = try database.createQuery(text)
      query.timeout = timeout
      query.parameters = parameters
      return (query: query, columns: try query.columnNames())
    }
    if explains {
      let json = try await input.database().async.perform { _ in try prepared.query.explanation().json }
      return .json(ByteBuffer(string: json))
    }
    let permit = try await input.server.limits(of: input.database()).rows.permit()
    var iterator = try prepared.query.rows().makeAsyncIterator()
    let first = try await iterator.next()
    let (database, warnings) = (try input.database(), input.server.queryWarnings)
    let rows = RowStream(
      database: database, iterator: iterator, first: first, columns: prepared.columns, format: format
    ) {
      try await database.async.perform { warnings.messages(for: text, in: $0) }
    }
    return input.streamedResponse(format.mediaType) { sink in
      defer { withExtendedLifetime(permit) {} }
      try await rows.write(to: sink)
    }
  }
}

/// The format of a result.
enum RowFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv; charset=utf-8"
    }
  }

  func line(of row: Concordance.Result, columns: [String]) -> String {
    if self == .json { return row.toJSON() }
    if self == .ndjson { return String(decoding: JSONLine.bytes(of: row.toJSON().utf8), as: UTF8.self) }
    let fields = columns.indices.map { index -> String? in
      if let text = row.string(at: index) { return text }
      let json = row.json(at: index)
      return json == "null" ? nil : json
    }
    return String(decoding: CSVLine.bytes(of: fields), as: UTF8.self)
  }
}
