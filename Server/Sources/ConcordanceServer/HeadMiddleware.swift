import HTTPTypes
import Hummingbird

/// Removes the bodies of responses to `HEAD`. The headers are those of the response to `GET`, including those of other
/// middleware for its body, which must be added after this one.
struct HeadMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    return request.method == .head ? response.withoutBody : response
  }
}

extension Response {
  /// The response to a HEAD request: the same headers without the body. A streamed body, whose length is unknown, is
  /// not produced, and the response has no length.
  fileprivate var withoutBody: Response {
    guard body.contentLength == nil else { return createHeadResponse() }
    return Response(status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
  }
}
