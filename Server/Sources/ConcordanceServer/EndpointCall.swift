import Concordance
import ConcordanceNetwork
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The context of a request, with its connection.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Processes the requests of an endpoint: authorization, queue, parameters, handler, metrics.
struct EndpointCall: Sendable {
  /// The size in bytes above which a body is parsed on Swift's thread pool.
  private static let largeBody = 32 << 10

  private let endpoint: Endpoint
  private let names: RequestInput.Names
  private let state: ServerState

  init(_ endpoint: Endpoint, _ state: ServerState) {
    (self.endpoint, self.state) = (endpoint, state)
    names = RequestInput.Names(endpoint)
  }

  func response(to request: Request, _ context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do {
      response = try await process(request, context)
    } catch {
      let problem = Problem(error, limits: state.options.limits)
      state.logger.note(error, as: problem, of: ["operation": "\(endpoint.operation)"])
      response = problem.response
    }
    state.metrics.record(
      endpoint.operation, status: response.status.code, duration: start.duration(to: .now))
    return response
  }

  private func process(_ request: Request, _ context: ServerContext) async throws -> Response {
    if let problem = PathText.problem(of: request.uri.path) { throw problem }
    // The channel of an HTTP/2 stream is in that of the connection, which is in that of the server.
    try RequestOrigin.checkHost(request, isStream: context.channel.parent?.parent != nil)
    if endpoint.scope != nil {
      let site = HTTPField.Name.secFetchSite.flatMap { request.headers[$0] }
      try RequestOrigin(origin: request.headers[.origin], site: site, authority: request.head.authority)
        .check(state.options)
    }
    try state.authorize(request.headers, endpoint)
    // The body is read before the request is queued, so that clients that send slowly do not fill the queue.
    let input = try await RequestInput(request, context, names, state)
    let handle = endpoint.handle
    // These endpoints do not read a database and must respond even if the queue is full.
    if endpoint.scope == nil { return try await handle(input) }
    if let waiting = endpoint.waiting, input.string(waiting.parameter) == waiting.value {
      return try await state.connections.run(on: context.channel, onHalfClose: .cancel) { try await handle(input) }
    }
    let permit: OperationLimit.Permit? = try await endpoint.scope == .write ? state.writes.permit() : nil
    defer { withExtendedLifetime(permit) {} }
    return try await state.queue.run {
      // Parsing a large body on the event loop would delay the other requests of the connections that it handles.
      let isLarge = input.body.readableBytes > EndpointCall.largeBody
      return try await state.connections.run(on: context.channel, onEventLoop: !isLarge) { try await handle(input) }
    }
  }
}

/// Converts errors outside endpoints, such as unknown paths, to problem responses, and adds headers for browsers.
struct ErrorMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let logger: Logger

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      response = RouteTable.problem(request).response
    } catch {
      let problem = Problem(error)
      logger.note(error, as: problem, of: ["path": "\(request.uri.path)"])
      response = problem.response
    }
    // Documents may contain HTML, which browsers must not interpret.
    response.headers[.xContentTypeOptions] = "nosniff"
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
    return response
  }
}

extension Logger {
  /// Logs an error that the administrator of the server must be told.
  ///
  /// - Parameters:
  ///   - problem: the error as it is sent to the client.
  ///   - request: describes the request.
  fileprivate func note(_ error: any Error, as problem: Problem, of request: Logger.Metadata) {
    guard problem.concernsServer else { return }
    var metadata = request
    metadata["error"] = "\((error as? Problem)?.detail ?? "\(error)")"
    self.error("request failed", metadata: metadata)
  }
}
