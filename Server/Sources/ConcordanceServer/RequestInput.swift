import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request with its decoded parameters. Parameters that the endpoint does not define are rejected because a
/// misspelled parameter would otherwise be ignored silently.
struct RequestInput: Sendable {
  let server: ServerState
  /// The name of the operation in the OpenAPI document.
  let operation: String
  let method: HTTPRequest.Method
  let headers: HTTPFields
  let variables: [String: String]
  /// The parameters of the query string.
  let query: [String: String]
  /// The body, which does not exceed the size limit.
  let body: ByteBuffer
  /// The memory of the body, which counts as used until the request ends.
  private let reservation: MemoryBudget.Reservation?
  /// The connection.
  let channel: any Channel

  /// The names in the description of an endpoint, prepared for all its requests.
  struct Names: Sendable {
    let operation: String
    /// The variables in the path.
    let variables: [String]
    /// The parameters of the query string.
    let parameters: [String]
    /// Whether names that begin with `$` are parameters of an SQL++ query.
    let hasQueryParameters: Bool
    let hasBody: Bool
    /// The maximum size of the body in bytes, if it is lower than the limit of the server.
    let bodyLimit: Int

    init(_ endpoint: Endpoint) {
      operation = endpoint.operation
      variables = endpoint.variables
      parameters = endpoint.parameters.filter { !$0.isHeader }.map(\.name)
      hasQueryParameters = endpoint.hasQueryParameters
      hasBody = endpoint.body != nil
      bodyLimit = endpoint.bodyLimit
    }
  }

  init(_ request: Request, _ context: ServerContext, _ names: Names, _ server: ServerState) async throws {
    self.server = server
    operation = names.operation
    method = request.method
    channel = context.channel
    headers = request.headers
    var variables: [String: String] = [:]
    for name in names.variables {
      guard let value = context.parameters.get(name).flatMap({ $0.contains("%") ? $0.removingPercentEncoding : $0 })
      else {
        throw Problem.invalidParameter(name, "the percent encoding in the path is malformed")
      }
      variables[name] = value
    }
    self.variables = variables
    query = try RequestInput.query(request.uri.query ?? "", names)
    (body, reservation) =
      try await names.hasBody
      ? RequestBody(request, channel, limit: min(server.options.limits.bodySize, names.bodyLimit)).read(server.bodies)
      : (ByteBuffer(), nil)
  }

  /// Returns a decoded part of a query string; nil if its percent encoding is malformed.
  private static func decoded(_ part: Substring) -> String? {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(part) }
    return part.replacing("+", with: " ").removingPercentEncoding
  }

  private static func query(_ text: String, _ names: Names) throws -> [String: String] {
    var result: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map(RequestInput.decoded)
      guard let first = decoded.first, let name = first, let value = decoded.count > 1 ? decoded[1] : "" else {
        throw Problem(.badRequest, "invalid_parameter", "the percent encoding of the query string is malformed")
      }
      let isQueryParameter = names.hasQueryParameters && name.hasPrefix("$") && name.utf8.count > 1
      guard isQueryParameter || names.parameters.contains(name) else {
        let known = names.parameters + (names.hasQueryParameters ? ["$NAME"] : [])
        let list = known.isEmpty ? "this endpoint has none" : "the parameters are \(known.joined(separator: ", "))"
        throw Problem.invalidParameter(name, "unknown parameter; \(list)")
      }
      guard result.updateValue(value, forKey: name) == nil else {
        throw Problem.invalidParameter(name, "the parameter is given more than once")
      }
    }
    return result
  }
}
