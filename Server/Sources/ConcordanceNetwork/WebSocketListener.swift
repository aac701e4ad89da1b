import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Replication
import Synchronization

/// Accepts WebSocket connections on a port and passes them on as transports. It knows nothing about databases.
final class WebSocketListener: Sendable {
  /// The settings of a listener.
  struct Settings: Sendable {
    /// The path that clients must request, such as `/travel/_blipsync`.
    var path: String
    var protocols = [ReplicationFrames.protocolName]
    var tls: ListenerTLS?
    /// Checks a user name and a password; it may block. Nil if no password is required.
    var password: (@Sendable (String, String) -> Bool)?
    var timing = WebSocketTiming()
    /// The time limit for the TLS and WebSocket handshakes together.
    var handshakeTimeout: TimeAmount = .seconds(15)
    /// The maximum number of connections, including those whose handshake is incomplete.
    var connectionCount = 256
    /// The number of delivered but unprocessed bytes above which reading from a connection pauses.
    var maximumUnprocessed = ReplicationFrames.maximumUnprocessed
  }

  /// Handles a new connection. It runs on a thread pool and may block.
  typealias Acceptance = @Sendable (any ReplicationTransport) -> Void

  private let settings: Settings
  private let logger: Logger
  private let accept: Acceptance
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
  private let server = Mutex<(any Channel)?>(nil)

  init(_ settings: Settings, logger: Logger, accept: @escaping Acceptance) {
    self.settings = settings
    self.logger = logger
    self.accept = accept
  }

  /// The address that the listener is bound to; nil if it is not listening.
  var address: SocketAddress? { server.withLock { $0?.localAddress } }

  /// Starts listening.
  ///
  /// - Throws: a system error if the address cannot be bound.
  func start(on address: SocketAddress) throws {
    let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel) }
      }
      .bind(to: address).wait()
    server.withLock { $0 = channel }
  }

  /// Stops listening. Established connections stay open; those whose handshake is incomplete are closed.
  func stop() {
    let channel = server.withLock { server in
      defer { server = nil }
      return server
    }
    channel?.close(promise: nil)
    for (_, channel) in channels.withLock({ $0 }) {
      channel.pipeline.handler(type: HandshakeResponder.self).whenSuccess { _ in channel.close(promise: nil) }
    }
  }

  /// Adds the handshake handlers to a new connection.
  private func prepare(_ channel: any Channel) throws {
    let isAdmitted = channels.withLock { channels in
      guard channels.count < settings.connectionCount else { return false }
      channels[ObjectIdentifier(channel)] = channel
      return true
    }
    guard isAdmitted else {
      logger.warning("a connection was closed because the limit of \(settings.connectionCount) connections is reached")
      throw ChannelError.eof
    }
    channel.closeFuture.whenComplete { [self] _ in
      channels.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
    let pipeline = channel.pipeline.syncOperations
    if let tls = settings.tls { try pipeline.addHandler(tls.makeHandler()) }
    let responder = HandshakeResponder(logger)
    let decision = NIOLoopBound(responder, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: ReplicationFrames.maximumSize, automaticErrorHandling: false,
      shouldUpgrade: { [self] channel, head in
        decision.value.isDeciding = true
        return check(head, channel.eventLoop).map { outcome in
          switch outcome {
          case .success(let headers): return headers
          case .failure(let refusal):
            decision.value.refusal = refusal
            return nil
          }
        }
      },
      upgradePipelineHandler: { [self] channel, _ in
        channel.eventLoop.makeCompletedFuture { try upgrade(channel, decision.value) }
      })
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    try pipeline.addHandler(responder)
    channel.eventLoop.scheduleTask(in: settings.handshakeTimeout) {
      // The responder is removed at the end of the handshake.
      if decision.value.isInPipeline { channel.close(promise: nil) }
    }
  }

  private func upgrade(_ channel: any Channel, _ responder: HandshakeResponder) throws {
    let pipeline = channel.pipeline.syncOperations
    let handler = WebSocketHandler(
      isClient: false, timing: settings.timing, maximumUnprocessed: settings.maximumUnprocessed)
    try pipeline.addHandlers([WebSocketHandler.makeAggregator(), handler])
    pipeline.removeHandler(responder, promise: nil)
    let transport = WebSocketTransport(channel, handler)
    let accept = accept
    NIOThreadPool.singleton.submit { state in
      if case .active = state { accept(transport) }
    }
  }

  /// Decides whether to accept a request to open a WebSocket.
  private func check(
    _ head: HTTPRequestHead, _ loop: any EventLoop
  ) -> EventLoopFuture<Swift.Result<HTTPHeaders, HandshakeRefusal>> {
    let path = head.uri.prefix { $0 != "?" }
    guard path.removingPercentEncoding == settings.path else {
      return loop.makeSucceededFuture(.failure(.unknownPath))
    }
    let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
    guard let name = settings.protocols.first(where: { offered.contains(Substring($0)) }) else {
      return loop.makeSucceededFuture(.failure(.noProtocol(settings.protocols)))
    }
    let accepted = HTTPHeaders([("Sec-WebSocket-Protocol", name), ("Server", "Concordance")])
    guard let password = settings.password else { return loop.makeSucceededFuture(.success(accepted)) }
    guard let credentials = BasicCredentials(head.headers) else {
      return loop.makeSucceededFuture(.failure(.unauthorized))
    }
    return NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      password(credentials.user, credentials.password) ? .success(accepted) : .failure(.unauthorized)
    }
  }
}

/// The TLS settings of a listener.
struct ListenerTLS: Sendable {
  private let context: NIOSSLContext
  private let checkClient: (@Sendable ([[UInt8]]) -> Bool)?

  /// - Parameter checkClient: returns whether a client's certificate chain is accepted; it may block. Nil if clients
  ///   need no certificate.
  init(_ identity: TLSIdentity, checkClient: (@Sendable ([[UInt8]]) -> Bool)? = nil) throws {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: identity.chain.map { .certificate($0) }, privateKey: .privateKey(identity.privateKey))
    if checkClient != nil { configuration.certificateVerification = .noHostnameVerification }
    context = try NIOSSLContext(configuration: configuration)
    self.checkClient = checkClient
  }

  func makeHandler() -> NIOSSLServerHandler {
    guard let checkClient else { return NIOSSLServerHandler(context: context) }
    return NIOSSLServerHandler(
      context: context,
      customVerificationCallback: { certificates, promise in
        NIOThreadPool.singleton.submit { _ in
          // A certificate that cannot be encoded is not accepted.
          let chain = (try? certificates.map { try $0.toDERBytes() }) ?? []
          promise.succeed(!chain.isEmpty && checkClient(chain) ? .certificateVerified : .failed)
        }
      })
  }
}
