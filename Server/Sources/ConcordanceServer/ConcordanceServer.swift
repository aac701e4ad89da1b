public import Concordance
import ConcordanceNetwork
import Foundation
import HTTPTypes
public import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
public import Logging
public import NIOCore
public import ServiceLifecycle
import Synchronization

/// An HTTP server for databases.
///
/// ```swift
/// let server = try ConcordanceServer(databases: [database])
/// try await server.run()
/// ```
///
/// The server is a `Service` for swift-service-lifecycle: on a graceful shutdown, it stops accepting connections,
/// completes the requests in progress, and tells replicators to reconnect later. The databases remain open.
/// `/openapi.json` describes the endpoints. Replicators connect to `/NAME/_blipsync`, where NAME is the name of a
/// database, on a connection of their own.
public struct ConcordanceServer: Service {
  let state: ServerState
  private let builder: HTTPServerBuilder

  /// Creates a server. It starts listening when ``run()`` is called.
  ///
  /// - Parameters:
  ///   - databases: the open databases. Their names are part of the URL paths, so they must be unique.
  ///   - options: the address, tokens and limits.
  ///   - logger: receives the server's errors.
  /// - Throws: ``ServerOptionsError`` if other machines or any web page could change databases without a token, two databases have the
  ///   same name, a limit is out of range, an origin is malformed, or the TLS files are unusable.
  public init(
    databases: [Concordance.Database], options: ServerOptions = ServerOptions(),
    logger: Logger = Logger(label: "concord")
  ) throws {
    if options.tokens == nil, !options.isInsecure {
      guard options.isLoopback else { throw ServerOptionsError(.unprotectedHost(options.host)) }
      guard options.isReadOnly || !options.allowedOrigins.contains("*") else {
        throw ServerOptionsError(.unprotectedOrigins)
      }
    }
    guard (0...65535).contains(options.port) else { throw ServerOptionsError(.invalidPort(options.port)) }
    let limits = options.limits
    for (name, value) in [
      ("bodySize", limits.bodySize), ("resultCount", limits.resultCount),
      ("maximumConnectionCount", limits.maximumConnectionCount), ("maximumQueueLength", limits.maximumQueueLength),
    ] where value < 1 {
      throw ServerOptionsError(.invalidLimit(name: name, value: value))
    }
    var normalizedOptions = options
    normalizedOptions.allowedOrigins = try options.allowedOrigins.map { origin in
      guard let normalized = RequestOrigin.normalized(origin) else {
        throw ServerOptionsError(.invalidOrigin(origin))
      }
      return normalized
    }
    state = try ServerState(databases, normalizedOptions, logger)
    let connections = state.connections
    let log = options.accessLog
    // For HTTP/2, this is the configuration of each stream.
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: (log.map { [AccessLogHandler($0)] } ?? []) + [
        FramingHandler.Installer(), ParserErrorHandler(), ContinueHandler(),
        connections.makeHandler(), WriteTimeLimit(limits.queryTimeout),
      ],
      idleTimeout: .seconds(60))
    let tls = try options.tls?.configuration()
    let replication = state.replication
    builder = HTTPServerBuilder { responder in
      let http1 = ReplicationChannel(
        http: HTTP1Channel(responder: responder, configuration: http), replication: replication)
      guard let tls else { return EventLoopChannel(http1) }
      let http2 = HTTP2Channel(
        responder: responder, configuration: .init(idleTimeout: .seconds(60), streamConfiguration: http))
      return EventLoopChannel(try SecureChannel(tls, http1: http1, http2: http2))
    }
  }

  /// Serves until the task is cancelled or the service group shuts down.
  ///
  /// - Throws: ``ServerOptionsError`` if the port cannot be opened.
  public func run() async throws { try await run { _ in } }

  /// Serves until the task is cancelled or the service group shuts down.
  ///
  /// - Parameter onListening: called with the server's URL once it accepts connections.
  /// - Throws: ``ServerOptionsError`` if the port cannot be opened.
  public func run(onListening: @escaping @Sendable (_ url: String) -> Void) async throws {
    let options = state.options
    let isListening = Mutex(false)
    let application = application { channel in
      let scheme = options.tls == nil ? "http" : "https"
      let host = options.host.contains(":") ? "[\(options.host)]" : options.host
      isListening.withLock { $0 = true }
      onListening("\(scheme)://\(host):\(channel.localAddress?.port ?? options.port)/")
    }
    do {
      try await application.run()
      await state.replication.closed()
      await options.accessLog?.flush()
    } catch  where !isListening.withLock({ $0 }) && !(error is CancellationError) {
      if error is SocketAddressError.UnknownHost { throw ServerOptionsError(.unknownHost(options.host)) }
      let number = (error as? IOError)?.errnoCode
      if number == EADDRINUSE { throw ServerOptionsError(.usedPort(host: options.host, port: options.port)) }
      let reason = number.map { String(cString: strerror($0)) } ?? "\(error)"
      throw ServerOptionsError(.cannotListen(host: options.host, port: options.port, reason: reason))
    }
  }

  /// The Hummingbird application, for programs that add it to their own services.
  ///
  /// - Parameter onServerRunning: called with the listening channel, whose address contains the port.
  public func application(
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let options = state.options
    return Application(
      router: makeRouter(), server: builder,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: "Concordance",
        availableConnectionsDelegate: .maximum(options.limits.maximumConnectionCount, logger: state.logger)),
      services: [state.files],
      onServerRunning: { channel in
        // Otherwise, several waiting connections would be accepted before the limit is checked.
        try? await channel.setOption(.maxMessagesPerRead, value: 1).get()
        await onServerRunning(channel)
      }, logger: state.logger)
  }

  /// All endpoints.
  static let endpoints: [Endpoint] =
    StatusEndpoints.all + SearchEndpoints.all + GrepEndpoint.all + DocumentEndpoints.all
    + BulkEndpoints.all + BlobEndpoints.all + ExpirationEndpoints.all + ChangeEndpoints.all + LiveEndpoints.all
    + CollectionEndpoints.all
    + QueryEndpoints.all

  private func makeRouter() -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: MetricsMiddleware())
    router.add(middleware: HeadMiddleware())
    router.add(middleware: CrossOriginMiddleware(origins: state.options.allowedOrigins))
    router.add(middleware: SlicingMiddleware())
    router.add(middleware: CompressionMiddleware())
    router.add(middleware: ErrorMiddleware(logger: state.logger))
    for endpoint in ConcordanceServer.endpoints + PageEndpoints.all {
      let call = EndpointCall(endpoint, state)
      router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
        try await call.response(to: request, context)
      }
      guard endpoint.method == .get else { continue }
      router.on(RouterPath(endpoint.path), method: .head) { request, context in
        try await call.response(to: request, context)
      }
    }
    return router
  }
}
