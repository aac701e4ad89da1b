import HTTPTypes
import Hummingbird

/// Allows web pages from ``origins`` to use the server (CORS).
struct CrossOriginMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let origins: [String]

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let origin = request.headers[.origin], origins.contains(origin) || origins.contains("*") else {
      var response = try await next(request, context)
      // A cache must not use this response for a page of an allowed origin.
      if !origins.isEmpty { response.headers.append(HTTPField(name: .vary, value: "Origin")) }
      return response
    }
    var headers: HTTPFields = [.accessControlAllowOrigin: origin, .vary: "Origin"]
    if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
      headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
      headers[.accessControlAllowHeaders] =
        "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, Last-Event-ID"
      headers[.accessControlMaxAge] = "600"
      return Response(status: .noContent, headers: headers)
    }
    headers[.accessControlExposeHeaders] = "ETag, Location, Retry-After, Content-Range"
    var response = try await next(request, context)
    response.headers.append(contentsOf: headers)
    return response
  }
}
