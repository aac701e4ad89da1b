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
    /// The maximum number of connections that were accepted. Further requests are refused with status 503.
    var connectionCount = 256
    /// The maximum number of connections whose request has not been accepted yet. Clients without permission to connect
    /// use only these, so they cannot keep others from connecting for long.
    var handshakeCount = 256
    /// The number of delivered but unprocessed bytes above which reading from a connection pauses.
    var maximumUnprocessed = ReplicationFrames.maximumUnprocessed
  }

  /// Handles a new connection. It runs on a thread pool and may block.
  typealias Acceptance = @Sendable (any ReplicationTransport) -> Void
  typealias Outcome = Swift.Result<Acceptance, HandshakeRefusal>
  /// Decides whether to accept a request to open a WebSocket. It runs on the event loop and must not block.
  typealias Decision = @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<Outcome>

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The channels whose request was accepted.
    var accepted: Set<ObjectIdentifier> = []
    var lastWarning: ContinuousClock.Instant?
  }

  /// The minimum time between two warnings, because each client that tries to connect can cause one.
  private static let warningInterval: Duration = .seconds(60)

  private let settings: Settings
  private let logger: Logger
  private let decide: Decision
  private let state = Mutex(State())

  init(_ settings: Settings, logger: Logger, decide: @escaping Decision) {
    self.settings = settings
    self.logger = logger
    self.decide = decide
  }

  /// Adds the handlers of a handshake to a connection. Must be called on its event loop.
  ///
  /// - Throws: an error if the limit of handshakes is reached. The caller closes the connection.
  func prepare(_ channel: any Channel) throws {
    let id = ObjectIdentifier(channel)
    let isAdmitted = state.withLock { state in
      guard state.channels.count - state.accepted.count < settings.handshakeCount else { return false }
      state.channels[id] = channel
      return true
    }
    guard isAdmitted else {
      warn("a connection was closed because \(settings.handshakeCount) others have not completed their handshake")
      throw ChannelError.eof
    }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.channels[id] = nil
        state.accepted.remove(id)
      }
    }
    let pipeline = channel.pipeline.syncOperations
    let responder = HandshakeResponder(logger)
    let decision = NIOLoopBound(responder, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: ReplicationFrames.maximumSize, automaticErrorHandling: false,
      shouldUpgrade: { [self] channel, head in
        decision.value.isDeciding = true
        return outcome(of: head, channel).map { outcome in
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
    for (_, channel) in state.withLock({ $0.channels }) {
      channel.pipeline.handler(type: HandshakeResponder.self).whenSuccess { _ in channel.close(promise: nil) }
    }
  }

  private func upgrade(_ channel: any Channel, _ head: HTTPRequestHead, _ responder: HandshakeResponder) throws {
    guard let accept = responder.acceptance else { throw ChannelError.inappropriateOperationForState }
    let pipeline = channel.pipeline.syncOperations
    let handler = WebSocketHandler(
      isClient: false, timing: settings.timing, maximumUnprocessed: settings.maximumUnprocessed)
    try pipeline.addHandlers(handler.makeHandlers())
    pipeline.removeHandler(responder, promise: nil)
    let isForwarded = ["X-Forwarded-For", "Forwarded", "Via"].contains { head.headers.contains(name: $0) }
    let transport = WebSocketTransport(channel, handler, isForwarded: isForwarded)
    NIOThreadPool.singleton.submit { state in
      if case .active = state { accept(transport) }
    }
  }

  /// Decides about a request, and returns the headers of the response.
  private func outcome(
    of head: HTTPRequestHead, _ channel: any Channel
  ) -> EventLoopFuture<Swift.Result<(Acceptance, HTTPHeaders), HandshakeRefusal>> {
    let protocols = settings.protocols
    // RFC 9112, section 3.2.
    guard head.headers["Host"].count == 1 else {
      return channel.eventLoop.makeSucceededFuture(.failure(.malformed("The request must have one Host header.")))
    }
    return decide(head, channel).map { [self] outcome in
      outcome.flatMap { acceptance in
        let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        guard let name = protocols.first(where: { offered.contains(Substring($0)) }) else {
          return .failure(.noProtocol(protocols))
        }
        guard accept(channel) else {
          return .failure(.unavailable("The limit of \(settings.connectionCount) connections is reached."))
        }
        return .success((acceptance, HTTPHeaders([("Sec-WebSocket-Protocol", name), ("Server", "Concordance")])))
      }
    }
  }

  /// Counts a connection as accepted. Returns false if the limit is reached.
  private func accept(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    let isAccepted = state.withLock { state in
      guard state.accepted.count < settings.connectionCount else { return false }
      // A channel that was closed in the meantime is no longer counted.
      if state.channels[id] != nil { state.accepted.insert(id) }
      return true
    }
    if !isAccepted {
      warn("a connection was refused because the limit of \(settings.connectionCount) connections is reached")
    }
    return isAccepted
  }

  private func warn(_ message: String) {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      if let last = state.lastWarning, now - last < WebSocketAcceptor.warningInterval { return false }
      state.lastWarning = now
      return true
    }
    if isDue { logger.warning("\(message)") }
  }
}
