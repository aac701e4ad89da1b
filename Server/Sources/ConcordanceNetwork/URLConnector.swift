import Concordance
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import NIOWebSocket
import Replication

/// Connects to a ``ServerAddress``: over TCP and TLS, then with a WebSocket handshake.
struct URLConnector: EndpointConnector {
  let address: ServerAddress
  /// The time limit for all steps together.
  var timeout: TimeAmount = .seconds(15)

  init(_ address: ServerAddress) { self.address = address }

  var remoteID: String { address.text }

  func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
    let head = try UpgradeRequestHead.make(address, options)
    // Both calls block: they read files or query the system.
    let (tls, local) = try await NIOThreadPool.singleton.runIfActive {
      (
        address.isSecure ? try ClientTLS(options, host: address.host) : nil,
        try options.networkInterface.map { try NetworkInterface.address($0) }
      )
    }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let result = loop.makePromise(of: WebSocketTransport.self)
    let attempt = ConnectionAttempt(result, address.text)
    let deadline = loop.scheduleTask(in: timeout) {
      attempt.fail(NetworkError.timeout("\(address.text) did not complete the handshake in time"))
    }
    var bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try attempt.add(channel)
          let pipeline = channel.pipeline.syncOperations
          if let tls {
            try pipeline.addHandler(
              tls.makeHandler {
                attempt.fail(
                  NetworkError.untrusted("\(address.text): the server's certificate is not the expected one"))
              })
          }
          let timing = WebSocketTiming(heartbeat: options.heartbeat)
          let handshake = ClientHandshake(head, options, attempt)
          let upgrader = NIOWebSocketClientUpgrader(
            maxFrameSize: ReplicationFrames.maximumSize, automaticErrorHandling: false
          ) { channel, response in
            channel.eventLoop.makeCompletedFuture {
              do {
                try URLConnector.upgrade(channel, response, options, attempt, timing)
              } catch {
                // The upgrade handler does not pass errors thrown by this closure to other handlers.
                attempt.fail(error)
                throw error
              }
            }
          }
          try pipeline.addHTTPClientHandlers(
            leftOverBytesStrategy: .forwardBytes,
            withClientUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
          try pipeline.addHandler(handshake)
        }
      }
    if let local { bootstrap = bootstrap.bind(to: local) }
    return try await withTaskCancellationHandler {
      bootstrap.connect(host: address.host, port: address.port).whenFailure { attempt.fail($0) }
      defer { deadline.cancel() }
      return try await result.futureResult.get()
    } onCancel: {
      loop.execute { attempt.fail(CancellationError()) }
    }
  }

  /// Replaces the HTTP handlers with the WebSocket handlers.
  private static func upgrade(
    _ channel: any Channel, _ response: HTTPResponseHead, _ options: EndpointConnectionOptions,
    _ attempt: ConnectionAttempt, _ timing: WebSocketTiming
  ) throws {
    if let id = response.headers.first(name: "X-Correlation-Id") { options.didReceive(.correlationID(id)) }
    guard let name = response.headers.first(name: "Sec-WebSocket-Protocol"), options.protocols.contains(name) else {
      throw NetworkError.noProtocol(attempt.peer)
    }
    let pipeline = channel.pipeline.syncOperations
    let handler = WebSocketHandler(isClient: true, timing: timing)
    try pipeline.addHandlers([WebSocketHandler.makeAggregator(), handler])
    pipeline.removeHandler(try pipeline.handler(type: ClientHandshake.self), promise: nil)
    attempt.succeed(WebSocketTransport(channel, handler))
  }
}

/// The outcome of an attempt to connect. It is used only on the event loop of the connection.
///
/// `@unchecked Sendable`: there is no lock. The methods must be called on the promise's event loop.
final class ConnectionAttempt: @unchecked Sendable {
  let peer: String
  private let promise: EventLoopPromise<WebSocketTransport>
  private var isDone = false
  /// The channels to close if the attempt fails. There are several if the host has several addresses.
  private var channels: [any Channel] = []

  init(_ promise: EventLoopPromise<WebSocketTransport>, _ peer: String) {
    self.promise = promise
    self.peer = peer
  }

  /// Adds a channel that begins to connect.
  ///
  /// - Throws: an error if the attempt has already ended, for example while the host name was resolved. The caller
  ///   closes the channel.
  func add(_ channel: any Channel) throws {
    guard !isDone else { throw ChannelError.alreadyClosed }
    channels.append(channel)
  }

  func succeed(_ transport: WebSocketTransport) {
    guard !isDone else { return }
    isDone = true
    channels = []
    promise.succeed(transport)
  }

  /// Reports the first error and closes the channels.
  func fail(_ error: any Error) {
    guard !isDone else { return }
    isDone = true
    promise.fail(error is CancellationError ? error : NetworkError.transportError(error, peer))
    for channel in channels { channel.close(promise: nil) }
    channels = []
  }
}

/// Sends the handshake request and reports responses that reject it.
final class ClientHandshake: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let head: HTTPRequestHead
  private let options: EndpointConnectionOptions
  private let attempt: ConnectionAttempt

  init(_ head: HTTPRequestHead, _ options: EndpointConnectionOptions, _ attempt: ConnectionAttempt) {
    self.head = head
    self.options = options
    self.attempt = attempt
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let attempt = attempt
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenFailure { attempt.fail($0) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let response) = unwrapInboundIn(data) else { return }
    if response.status == .ok || response.status == .switchingProtocols {
      attempt.fail(NetworkError.noProtocol(attempt.peer))
    } else {
      attempt.fail(NetworkError.rejected(response.status, attempt.peer))
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event,
      let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self),
      let bytes = try? handler.peerCertificate?.toDERBytes()
    {
      options.didReceive(.serverCertificate(Data(bytes)))
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The server responded with status 101, but its Sec-WebSocket-Accept header is wrong.
    if error as? NIOHTTPClientUpgradeError == .upgraderDeniedUpgrade {
      attempt.fail(NetworkError.noProtocol(attempt.peer))
    }
    attempt.fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // A server that requires TLS does this with a request that is not encrypted.
    let advice = attempt.peer.hasPrefix("ws://") ? "; if it requires TLS, use wss:// in the URL" : ""
    attempt.fail(
      ReplicationTransportError(
        code: 11_006, message: "\(attempt.peer) closed the connection during the handshake\(advice)"))
    context.fireChannelInactive()
  }
}

extension WebSocketHandler {
  /// Creates a handler that reassembles fragmented messages, which other implementations may send.
  static func makeAggregator() -> NIOWebSocketFrameAggregator {
    NIOWebSocketFrameAggregator(
      minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: ReplicationFrames.maximumSize)
  }
}
