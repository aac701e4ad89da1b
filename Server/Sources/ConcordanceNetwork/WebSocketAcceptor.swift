import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Replication
import Synchronization

/// Performs the WebSocket handshake on connections that a server has accepted, and passes those that complete it on as
/// transports.
final class WebSocketAcceptor: Sendable {
  /// The settings of the connections.
  struct Settings: Sendable {
    var protocols = [ReplicationFrames.protocolName]
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
  typealias Outcome = Swift.Result<Acceptance, HandshakeRefusal>
  /// Decides whether to accept a request to open a WebSocket. It runs on the event loop and must not block.
  typealias Decision = @Sendable (HTTPRequestHead, any EventLoop) -> EventLoopFuture<Outcome>

  private let settings: Settings
  private let logger: Logger
  private let decide: Decision
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  init(_ settings: Settings, logger: Logger, decide: @escaping Decision) {
    self.settings = settings
    self.logger = logger
    self.decide = decide
  }

  /// Adds the handlers of a handshake to a connection. Must be called on its event loop.
  ///
  /// - Throws: an error if the limit of connections is reached. The caller closes the connection.
  func prepare(_ channel: any Channel) throws {
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
    let responder = HandshakeResponder(logger)
    let decision = NIOLoopBound(responder, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: ReplicationFrames.maximumSize, automaticErrorHandling: false,
      shouldUpgrade: { [self] channel, head in
        decision.value.isDeciding = true
        return outcome(of: head, channel.eventLoop).map { outcome in
          switch outcome {
          case .success((let acceptance, let headers)):
            decision.value.acceptance = acceptance
            return headers
          case .failure(let refusal):
            decision.value.refusal = refusal
            return nil
          }
        }
      },
      upgradePipelineHandler: { [self] channel, head in
        channel.eventLoop.makeCompletedFuture { try upgrade(channel, head, decision.value) }
      })
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    try pipeline.addHandler(responder)
    channel.eventLoop.scheduleTask(in: settings.handshakeTimeout) {
      // The responder is removed at the end of the handshake.
      if decision.value.isInPipeline { channel.close(promise: nil) }
    }
  }

  /// Closes the connections whose handshake is incomplete.
  func closeIncomplete() {
    for (_, channel) in channels.withLock({ $0 }) {
      channel.pipeline.handler(type: HandshakeResponder.self).whenSuccess { _ in channel.close(promise: nil) }
    }
  }

  private func upgrade(_ channel: any Channel, _ head: HTTPRequestHead, _ responder: HandshakeResponder) throws {
    guard let accept = responder.acceptance else { throw ChannelError.inappropriateOperationForState }
    let pipeline = channel.pipeline.syncOperations
    let handler = WebSocketHandler(
      isClient: false, timing: settings.timing, maximumUnprocessed: settings.maximumUnprocessed)
    try pipeline.addHandlers([WebSocketHandler.makeAggregator(), handler])
    pipeline.removeHandler(responder, promise: nil)
    let isForwarded = ["X-Forwarded-For", "Forwarded", "Via"].contains { head.headers.contains(name: $0) }
    let transport = WebSocketTransport(channel, handler, isForwarded: isForwarded)
    NIOThreadPool.singleton.submit { state in
      if case .active = state { accept(transport) }
    }
  }

  /// Decides about a request, and returns the headers of the response.
  private func outcome(
    of head: HTTPRequestHead, _ loop: any EventLoop
  ) -> EventLoopFuture<Swift.Result<(Acceptance, HTTPHeaders), HandshakeRefusal>> {
    let protocols = settings.protocols
    return decide(head, loop).map { outcome in
      outcome.flatMap { acceptance in
        let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        guard let name = protocols.first(where: { offered.contains(Substring($0)) }) else {
          return .failure(.noProtocol(protocols))
        }
        return .success((acceptance, HTTPHeaders([("Sec-WebSocket-Protocol", name), ("Server", "Concordance")])))
      }
    }
  }
}
