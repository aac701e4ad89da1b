import HTTPTypes
import Hummingbird

/// An endpoint: its route, its description in the OpenAPI document, and its handler. The router and the document are
/// generated from the same list, so they cannot diverge.
struct Endpoint: Sendable {
  let method: HTTPRequest.Method
  /// The path, with variables in braces as in OpenAPI and Hummingbird: `/databases/{database}`.
  let path: String
  /// The unique name of the operation in the OpenAPI document.
  let operation: String
  let summary: String
  /// The scope that a token must have; nil if no token is required.
  var scope: AccessScope? = .read
  var parameters: [Parameter] = []
  /// Whether names in the query string that begin with `$` are parameters of an SQL++ query.
  var hasQueryParameters = false
  /// The media type and the schema of the request body; nil if the request has none.
  var body: (mediaType: String, schema: JSONSchema)?
  /// The maximum size of the body in bytes, if it is lower than the limit of the server.
  var bodyLimit = Int.max
  /// The responses of successful requests.
  var responses: [(status: Int, description: String, mediaType: String?)] = [(200, "OK", "application/json")]
  /// The schema of the JSON in successful responses; nil if they contain no JSON.
  var result: JSONSchema?
  /// The parameter and its value with which the handler waits for changes instead of working; nil if it never does.
  /// Such requests are not counted in the queue, so the handler must limit their number (``ServerState/streams``).
  var waiting: (parameter: String, value: String)?
  /// Handles a request. It runs on the event loop of the connection, unless the body is large. Work that takes longer
  /// than a fraction of a millisecond must run on a thread of the database (``RequestInput/withCollection(_:)``).
  let handle: @Sendable (RequestInput) async throws -> Response

  /// The ``bodyLimit`` of requests whose body contains options and not documents.
  static let optionLimit = 1 << 20

  /// A parameter of the query string or a header.
  struct Parameter: Sendable {
    let name: String
    let schema: JSONSchema
    let summary: String
    var isHeader = false
    var isRequired = false
  }

  /// The names of the variables in the path.
  var variables: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }
}
