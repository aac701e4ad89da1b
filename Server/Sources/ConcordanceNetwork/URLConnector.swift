import Concordance
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
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
              tls.makeHandler { attempt.fail(NetworkError.refusedCertificate($0, address.text)) })
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
    try pipeline.addHandlers(handler.makeHandlers())
    pipeline.removeHandler(try pipeline.handler(type: ClientHandshake.self), promise: nil)
    attempt.succeed(WebSocketTransport(channel, handler))
  }
}
