import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Replication
import Synchronization

/// Accepts WebSocket connections on a port and passes them on as transports. It knows nothing about databases.
final class WebSocketListener: Sendable {
  /// The settings of a listener.
  struct Settings: Sendable {
    /// The path that clients must request, such as `/travel/_blipsync`.
    var path: String
    var tls: ListenerTLS?
    /// Checks a user name and a password; it may block. Nil if no password is required.
    var password: (@Sendable (String, String) -> Bool)?
    var connections = WebSocketAcceptor.Settings()

    /// Whether clients must have a password or a certificate.
    var authenticatesClients: Bool { password != nil || tls?.checksClients ?? false }
  }

  private let settings: Settings
  private let acceptor: WebSocketAcceptor
  private let server = Mutex<(any Channel)?>(nil)

  init(_ settings: Settings, logger: Logger, accept: @escaping WebSocketAcceptor.Acceptance) {
    self.settings = settings
    let checks = AuthenticationQueue()
    acceptor = WebSocketAcceptor(settings.connections, logger: logger) { head, channel in
      WebSocketListener.decide(head, channel, settings, checks, accept)
    }
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
      .childChannelInitializer { [settings, acceptor] channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls = settings.tls { try channel.pipeline.syncOperations.addHandler(tls.makeHandler()) }
          try acceptor.prepare(channel)
        }
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
    acceptor.closeIncomplete()
  }

  /// Decides whether to accept a request to open a WebSocket.
  private static func decide(
    _ head: HTTPRequestHead, _ channel: any Channel, _ settings: Settings, _ checks: AuthenticationQueue,
    _ accept: @escaping WebSocketAcceptor.Acceptance
  ) -> EventLoopFuture<WebSocketAcceptor.Outcome> {
    let loop = channel.eventLoop
    if let refusal = originRefusal(head, channel, settings) { return loop.makeSucceededFuture(.failure(refusal)) }
    guard head.uri.prefix(while: { $0 != "?" }).removingPercentEncoding == settings.path else {
      return loop.makeSucceededFuture(.failure(.unknownPath))
    }
    guard let password = settings.password else { return loop.makeSucceededFuture(.success(accept)) }
    guard let credentials = BasicCredentials(AuthorizationHeader(head.headers.first(name: "Authorization"))) else {
      return loop.makeSucceededFuture(.failure(.noPassword))
    }
    return checks.run(loop) {
      password(credentials.user, credentials.password) ? .success(accept) : .failure(.noPassword)
    }
  }
}

extension WebSocketListener {
  /// Returns the refusal of a request that a page of another origin may have sent. Browsers open WebSockets to other
  /// origins without asking the server (CORS), also with saved passwords and certificates.
  private static func originRefusal(
    _ head: HTTPRequestHead, _ channel: any Channel, _ settings: Settings
  ) -> HandshakeRefusal? {
    let origin = RequestOrigin(
      origin: head.headers.first(name: "Origin"), site: head.headers.first(name: "Sec-Fetch-Site"),
      authority: head.headers.first(name: "Host"))
    do {
      try origin.checkOrigin()
      // The parent is the listening socket.
      if !settings.authenticatesClients, channel.parent?.localAddress?.isLoopback ?? false {
        try origin.checkLoopbackHost()
      }
      return nil
    } catch RequestOrigin.Refusal.foreignHost(let host) {
      return .forbidden("A listener without users answers only requests to a loopback address, not \(host).")
    } catch {
      return .forbidden("Pages of other origins are not permitted to connect.")
    }
  }
}

/// The TLS settings of a listener.
struct ListenerTLS: Sendable {
  private let context: NIOSSLContext
  private let checkClient: (@Sendable ([[UInt8]]) -> Bool)?
  private let checks = AuthenticationQueue()

  /// - Parameter checkClient: returns whether a client's certificate chain is accepted; it may block. Nil if clients
  ///   need no certificate.
  init(_ identity: TLSIdentity, checkClient: (@Sendable ([[UInt8]]) -> Bool)? = nil) throws {
    var configuration = identity.pem.serverConfiguration
    if checkClient != nil { configuration.certificateVerification = .noHostnameVerification }
    context = try NIOSSLContext(configuration: configuration)
    self.checkClient = checkClient
  }

  var checksClients: Bool { checkClient != nil }

  func makeHandler() -> NIOSSLServerHandler {
    guard let checkClient else { return NIOSSLServerHandler(context: context) }
    return NIOSSLServerHandler(
      context: context,
      customVerificationCallback: { [checks] certificates, promise in
        checks.submit {
          // A certificate that cannot be encoded is not accepted.
          let chain = (try? certificates.map { try $0.toDERBytes() }) ?? []
          promise.succeed(!chain.isEmpty && checkClient(chain) ? .certificateVerified : .failed)
        }
      })
  }
}
