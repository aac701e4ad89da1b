import HTTPTypes
import Hummingbird

/// Determines which methods a path supports, for requests that no endpoint handles.
enum RouteTable {
  private static let routes = (ConcordanceServer.endpoints + PageEndpoints.all).map { endpoint in
    (parts: endpoint.path.split(separator: "/"), method: endpoint.method)
  }

  /// Returns the problem for an unhandled request: 405 with `Allow` if the path supports other methods, otherwise 404.
  static func problem(_ request: Request) -> Problem {
    if let problem = PathText.problem(of: request.uri.path) { return problem }
    let parts = request.uri.path.split(separator: "/")
    let methods = routes.filter { matches($0.parts, parts) }.map(\.method.rawValue)
    guard !methods.isEmpty else {
      if parts.last == "_blipsync" {
        return Problem(
          .upgradeRequired, "upgrade_required", "replication requires a WebSocket on an HTTP/1.1 connection of its own")
      }
      return .notFound("there is nothing at \(request.uri.path.prefix(200)); /openapi.json lists the paths")
    }
    var problem = Problem(
      .methodNotAllowed, "method_not_allowed",
      "this path does not support \(request.method), only \(list(methods))")
    let allowed = methods.flatMap { $0 == "GET" ? [$0, "HEAD"] : [$0] }
    problem.headers[.allow] = allowed.joined(separator: ", ")
    return problem
  }

  private static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns whether a path matches an endpoint's path, in which variables are in braces.
  private static func matches(_ pattern: [Substring], _ parts: [Substring]) -> Bool {
    pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
  }
}
